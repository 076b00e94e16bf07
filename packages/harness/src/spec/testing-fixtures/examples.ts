/** The two complete documents of the workflow language, 6 examples. */

/** A workflow with a person in it: files, guards, hooks, a rubric, waits. */
export const INVOICE_APPROVAL = `# workflows/invoice-approval/workflow.yaml
title: Invoice approval
instructions: |-
  One session settles one supplier invoice.

  Never alter a figure. A mismatch is written down, not repaired.
runtime: { engine: archmax-harness, version: "2" }
settings: { model: small-model, timeoutMs: 20000 }
tools:
  allow_always: [{ tool: ledger__find_supplier, args: { region: ["eu-*"] } }]
  forbid_always: [{ tool: "*", paths: ["secrets/**"] }]
skills: { allow_always: [supplier-terms] }
mounts: { allow_always: [{ mount: ledger-archive, access: read }] }
states:
  check-invoice:
    triggers:
      manual:
        description: Check one supplier invoice and report whether it may be paid.
        requires:
          - { name: invoice, type: file, description: The invoice as it arrived. }
          - { name: due, type: date }
        returns: [{ name: payable, type: boolean }, payment_ref]
      invoice_received: { session: inbound.-1.thread_id, message: inbound.-1.text, connection: billing-inbox }
    instructions: Compare the invoice with the order. Record invoice_no, then choose the path.
    before: { script: hooks/known-supplier.js }
    after:
      - { script: hooks/totals-match.js, max_iterations: 2 }
      - rubric: { instructions: Accept only if every difference is named., max_iterations: 1 }
    requires: [invoice_no]
    tools: { allow: [{ tool: write_file, paths: ["reports/\${{invoice_no}}.json"] }] }
    budget: { maxTurns: 12, timeoutMs: 60000 }
    on_error: hand-over
    transitions:
      - { to: approve-payment, description: Invoice and order agree. }
      - { to: await-credit-note, description: The supplier charged too much. }
  await-credit-note:
    instructions: >-
      Ask for a credit note, then call archmax_wait with until "3d"; on waking, look
      for the note and wait again if it is missing.
    budget: { maxParks: 4 }
    on_error: hand-over
    transitions: [{ to: check-invoice, description: The credit note is here. }]
  approve-payment:
    type: human
    instructions: Decide whether this invoice is paid.
    evidence: [scratchpad/comparison.md]
    transitions:
      - { to: settled, type: approve, description: Pay it. }
      - { to: check-invoice, type: refine, description: Check it again. }
      - { to: hand-over, type: reject, description: Do not pay. }
  settled: { instructions: Set payable and payment_ref. }
  hand-over: { instructions: Set payable to false and payment_ref to null. Say what is open. }
`;

/** A workflow that delegates, with a hook kind of the host's. */
export const INCIDENT_TRIAGE = `# workflows/incident-triage/workflow.yaml
title: Incident triage
instructions: Work from the collected facts; say so when a fact is missing.
tools: { forbid_always: [archmax_reset] }
skills: { allow_always: [] }
extensions: { hooks: [pager] }
states:
  collect:
    triggers: { alert_fired: { session: alert.incident_id }, manual: }
    instructions: Call archmax_workflow_collect-logs once per affected service; record log_files.
    skills: { allow: [service-map] }
    mounts: { allow: [runbooks, { mount: telemetry, access: read }] }
    requires: [log_files]
    tools: { allow: [archmax_workflow_collect-logs, { tool: pager__page, args: { source: ["\${{trigger}}"] } }] }
    transitions: [{ to: classify, description: Logs of every affected service are recorded. }]
  classify:
    instructions: Name the severity and pick the path.
    after: { pager: on-call/primary }
    transitions:
      - { to: report, description: Customers are not affected. }
      - { to: confirm-major, description: Customers are affected. }
  confirm-major:
    type: human
    instructions: Is this a major incident?
    transitions:
      - { to: report, type: approve, description: Declare it. }
      - { to: classify, type: refine, description: Classify again. }
  report:
`;

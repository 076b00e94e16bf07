/**
 * A workflow of any number of states, with in it what real ones hold: triggers with signatures, guarded grants, hooks,
 * rubrics, budgets, people. It is valid and without any finding, so that measuring it measures no messages.
 *
 * @param states how many, 4 at least
 */
export function largeWorkflow(states: number): Record<string, unknown> {
  const slugs = Array.from({ length: states }, (_, at) => `${STEPS[at % STEPS.length]}-${at}`);
  return {
    title: "Supplier invoices",
    instructions: "Settle one supplier invoice. Never alter a figure; a difference is written down.\n",
    runtime: { engine: "archmax-harness", version: "2" },
    settings: { model: "small-model", timeoutMs: 20_000, maxPtcCalls: 40 },
    tools: {
      allow_always: [
        { tool: "ledger__find_supplier", args: { region: ["eu-*", "us-*"] } },
        "calendar__next_day",
      ],
      forbid_always: ["archmax_reset", { tool: "*", paths: ["secrets/**"] }],
    },
    skills: { allow_always: ["supplier-terms"] },
    mounts: { allow_always: [{ mount: "ledger-archive", access: "read" }] },
    extensions: { hooks: ["pager"] },
    metadata: { owner: "accounts-payable", since: 2024 },
    states: Object.fromEntries(slugs.map((slug, at) => [slug, state(slugs, at)])),
  };
}

const STEPS = ["check-invoice", "compare-terms", "approve-payment", "schedule", "settle"];

function state(slugs: readonly string[], at: number): Record<string, unknown> {
  const to = (ahead: number) => slugs[(at + ahead) % slugs.length];
  if (at % STEPS.length === 2) {
    return {
      type: "human",
      title: "Approve the payment",
      instructions: "Decide whether this invoice is paid. The comparison shows every difference.",
      evidence: ["scratchpad/comparison.md"],
      approvers: ["accounts-payable"],
      transitions: [
        { to: to(1), type: "approve", description: "Pay it on the agreed day." },
        { to: to(2), type: "refine", description: "Check it again." },
        { to: to(3), type: "reject", description: "Do not pay it." },
      ],
    };
  }
  return {
    title: `Step ${at}`,
    instructions:
      "Compare the invoice with the order. Record invoice_no and difference, then choose the path.",
    ...(at % 8 === 0 && { triggers: triggers(at) }),
    before: { script: "hooks/known-supplier.js" },
    after: [
      { script: "hooks/totals-match.js", max_iterations: 2 },
      ...(at % 3 === 0
        ? [{ rubric: { instructions: "Accept only if every difference is named.", max_iterations: 1 } }]
        : [{ pager: "on-call/primary" }]),
    ],
    requires: ["invoice_no", "difference"],
    skills: { allow: ["currency-rules", "tax-rules"] },
    mounts: { allow: ["runbooks", { mount: "catalogs/eu", access: "read" }] },
    tools: {
      allow: [
        { tool: "write_file", paths: ["reports/${{invoice_no}}.json"] },
        {
          tool: "mail__send",
          args: { to: ["*@example.com"], "message.subject": "Invoice ${{invoice_no}}*" },
        },
        "ledger__book",
      ],
      forbid: ["remove_file"],
    },
    budget: { maxTurns: 12, timeoutMs: 60_000, maxParks: 3 },
    on_error: to(4),
    transitions: [
      { to: to(1), description: "Invoice and order agree." },
      { to: to(2), description: "The supplier charged too much." },
    ],
  };
}

function triggers(at: number): Record<string, unknown> {
  return {
    [at === 0 ? "manual" : `invoice_received_${at}`]: {
      description: "An invoice arrived at the inbox; its number is the session's id.",
      session: "inbound.-1.thread_id",
      message: "inbound.-1.text",
      connection: "billing-inbox",
      requires: [
        { name: "invoice_id", type: "string", description: "The number printed on the invoice." },
        { name: "amount", type: "number", description: "The invoice total, tax included." },
        { name: "due", type: "date" },
        "supplier",
      ],
      returns: [{ name: "paid", type: "boolean" }, "payment_ref"],
    },
  };
}

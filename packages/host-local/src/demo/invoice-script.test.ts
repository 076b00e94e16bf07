import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readConversation, type WireMessage } from "./conversation.ts";
import { answerInvoice } from "./invoice-script.ts";

const suppliers = await readFile(
  fileURLToPath(new URL("../../../../skills/supplier-terms/assets/suppliers.json", import.meta.url)),
  "utf8",
);

/** `read_file`'s form: a header above the lines as they are. */
function asRead(text: string): string {
  const lines = text.split("\n").length;
  return `@@ lines 1-${lines} of ${lines} @@\n${text}`;
}

interface Desk {
  state: string;
  parked: boolean;
  messages: WireMessage[];
  variables: Record<string, unknown>;
  files: Record<string, string>;
  trail: string[];
}

function desk(variables: Record<string, unknown>): Desk {
  return {
    state: "intake",
    parked: false,
    messages: [{ role: "user", content: "Please settle this invoice." }],
    variables,
    files: {},
    trail: ["intake"],
  };
}

const invoice = {
  invoice_id: "INV-7",
  supplier: "nordwind-office",
  amount: 1240.5,
  currency: "EUR",
  due: "2026-03-31",
};

function ask(on: Desk) {
  const head = on.parked ? "## This run is parked\n" : "";
  return answerInvoice(
    readConversation([{ role: "system", content: `${head}\n## Current state: ${on.state}` }, ...on.messages]),
  );
}

/** A few lines of runtime: enough to walk the script until the model ends its turn or the session parks. */
function walk(on: Desk): string {
  for (let step = 0; step < 30; step++) {
    const answer = ask(on);
    const calls = (answer.calls ?? []).map((each, index) => ({
      ...each,
      id: `c${on.messages.length}-${index}`,
    }));
    on.messages.push({
      role: "assistant",
      content: answer.text ?? "",
      ...(calls.length > 0 && {
        tool_calls: calls.map((each) => ({
          id: each.id,
          function: { name: each.name, arguments: JSON.stringify(each.args) },
        })),
      }),
    });
    if (calls.length === 0 || on.parked) return answer.text ?? "";
    let waits = false;
    for (const each of calls) {
      on.messages.push({ role: "tool", tool_call_id: each.id, content: run(on, each.name, each.args) });
      waits ||= each.name === "archmax_wait";
    }
    if (waits) return answer.text ?? "";
  }
  throw new Error("the script does not come to an end");
}

function run(on: Desk, name: string, args: Record<string, unknown>): string {
  if (name === "archmax_get_variables")
    return JSON.stringify(
      Object.fromEntries(Object.entries(on.variables).map(([key, value]) => [key, { value, locked: true }])),
    );
  if (name === "archmax_set_variables") {
    Object.assign(on.variables, args.variables);
    return "Set.";
  }
  if (name === "archmax_advance") {
    on.state = String(args.to);
    on.trail.push(on.state);
    on.parked = on.state === "approve-payment";
    return `Moved to ${on.state}.`;
  }
  if (name === "archmax_wait") return "The session waits.";
  if (name === "write_file") {
    on.files[String(args.file_path)] = String(args.content);
    return "Written.";
  }
  return asRead(args.file_path === "skills/supplier-terms/SKILL.md" ? "# Supplier terms" : suppliers);
}

function note(on: Desk, kind: string, text: string): void {
  const id = `note_${on.messages.length}`;
  on.messages.push(
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id, function: { name: "archmax_note", arguments: JSON.stringify({ note: kind }) } }],
    },
    { role: "tool", tool_call_id: id, content: text },
  );
}

function decide(on: Desk, state: string, comment: string): void {
  on.state = state;
  on.trail.push(state);
  on.parked = false;
  note(on, "decision", `[decision] '${state}': ${comment}`);
}

test("the script walks the example from intake to paid", () => {
  const on = desk({ ...invoice });
  expect(walk(on)).toContain("waits for your decision");
  expect(on.trail).toEqual(["intake", "checking", "approve-payment"]);
  expect(on.variables).toMatchObject({
    title: "Invoice INV-7, nordwind-office",
    difference: 40.5,
    pay_after: "3s",
  });
  expect(on.files["scratchpad/comparison.md"]).toContain(
    "The difference of 40.5 is within the tolerance of 60.",
  );
  decide(on, "scheduled", "fine");
  expect(walk(on)).toBe("Approved. I wait for the payment day.");
  note(on, "event", "[event] timer");
  expect(walk(on)).toContain("INV-7 is paid");
  expect(on.trail).toEqual(["intake", "checking", "approve-payment", "scheduled", "paid"]);
  expect(on.variables).toMatchObject({ paid: true });
});

test("refining checks once more and answers the comment", () => {
  const on = desk({ ...invoice });
  walk(on);
  decide(on, "checking", `is the \${{amount}} right?`);
  walk(on);
  expect(on.trail).toEqual(["intake", "checking", "approve-payment", "checking", "approve-payment"]);
  expect(on.files["scratchpad/comparison.md"]).toContain(`is the $\${{amount}} right?`);
});

test("rejecting ends unpaid", () => {
  const on = desk({ ...invoice });
  walk(on);
  decide(on, "rejected", "not ours");
  expect(walk(on)).toBe("Invoice INV-7 is not paid.");
  expect(on.variables).toMatchObject({ paid: false, payment_ref: null });
});

test.each([
  ["quickfix-repairs", "blocked"],
  ["nobody", "not in the supplier terms"],
])("an invoice of %s is rejected: %s", (supplier, reason) => {
  const on = desk({ ...invoice, supplier });
  walk(on);
  expect(on.trail).toEqual(["intake", "checking", "rejected"]);
  expect(on.files["scratchpad/comparison.md"]).toContain(reason);
});

test("a reply while parked and a question after the end are answered in text", () => {
  const on = desk({ ...invoice });
  walk(on);
  on.messages.push({ role: "user", content: "How large is the difference?" });
  expect(walk(on)).toContain("The difference of 40.5");
  decide(on, "rejected", "no");
  walk(on);
  on.messages.push({ role: "user", content: "And now?" });
  const asked = ask(on);
  expect(asked.calls).toBeUndefined();
  expect(asked.text).toContain("not paid");
});

test("a refused call ends the turn in words instead of being tried again", () => {
  const on = desk({ ...invoice });
  on.messages.push(
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "x", function: { name: "archmax_get_variables", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "x", content: "[workflow] BLOCKED: not here" },
  );
  expect(ask(on)).toEqual({ text: expect.stringContaining("[workflow] BLOCKED: not here") });
});

test("a state of another workflow is answered by saying what this model is", () => {
  expect(answerInvoice(readConversation([{ role: "user", content: "hi" }])).text).toContain("scripted");
});

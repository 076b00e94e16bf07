import { expect, test } from "vitest";
import { machineSpecSchema } from "../spec/schema.ts";
import { drawnTopology, workflowTopology } from "./topology.ts";

const spec = machineSpecSchema.parse({
  states: {
    intake: {
      triggers: { received: null, manual: null },
      on_error: "end",
      transitions: [{ to: "approve-payment", description: 'Ask "the" boss,\n then wait.' }],
    },
    "approve-payment": {
      type: "human",
      transitions: [{ to: "end", description: "Pay.", type: "approve" }],
    },
    end: {},
  },
});

test("a workflow's graph is made from its document alone", () => {
  const { mermaid, ...graph } = workflowTopology(spec);
  expect(graph).toEqual({
    nodes: ["__start__", "intake", "approve-payment", "end"],
    edges: [
      { source: "__start__", target: "intake", conditional: true, label: "received" },
      { source: "__start__", target: "intake", conditional: true, label: "manual" },
      {
        source: "intake",
        target: "approve-payment",
        conditional: false,
        label: 'Ask "the" boss,\n then wait.',
      },
      { source: "intake", target: "end", conditional: true, label: "on_error" },
      { source: "approve-payment", target: "end", conditional: false, label: "Pay." },
    ],
    entry: "intake",
    finals: ["end"],
  });
  expect(mermaid).toBe(
    [
      "flowchart TD",
      '  start(["__start__"])',
      '  state_intake("intake")',
      '  state_approve_payment{{"approve-payment"}}:::human',
      '  state_end("end")',
      '  start -.->|"received"| state_intake',
      '  start -.->|"manual"| state_intake',
      '  state_intake -->|"Ask #34;the#34; boss, then wait."| state_approve_payment',
      '  state_intake -.->|"on_error"| state_end',
      '  state_approve_payment -->|"Pay."| state_end',
      "  classDef human stroke-width:3px",
      "",
    ].join("\n"),
  );
});

test("a plain agent's graph is its compiled graph's drawing", () => {
  expect(
    drawnTopology({
      nodes: { __start__: {}, model: {}, __end__: {} },
      edges: [
        { source: "__start__", target: "model" },
        { source: "model", target: "__end__", conditional: true, data: "done" },
      ],
      drawMermaid: () => "graph TD;\n",
    }),
  ).toEqual({
    nodes: ["__start__", "model", "__end__"],
    edges: [
      { source: "__start__", target: "model", conditional: false },
      { source: "model", target: "__end__", conditional: true, label: "done" },
    ],
    entry: "__start__",
    finals: ["__end__"],
    mermaid: "graph TD;\n",
  });
});

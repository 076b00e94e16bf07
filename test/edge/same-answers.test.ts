/**
 * One document, one answer, wherever it is checked. Every place that takes a document as it is is a row of `PLACES`, the
 * two edges as they are deployed among them. `archmax validate --json` takes a workspace: what it says of the document is
 * held against the first of them.
 */
import { loadMachineSpec } from "@archmax-ai/harness";
import { workflowPaths } from "@archmax-ai/harness/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archmaxOnce, archmaxValidate, type ValidateRun, workspaceOf } from "../support/archmax-validate.ts";
import { type BothEdges, startBothEdges } from "../support/both-edges.ts";
import { hostileDocuments } from "../support/hostile-documents.ts";
import { type AskValidator, bodyOf, posted } from "../support/validating.ts";
import { ALL_DOCUMENTS } from "./documents/all-documents.ts";
import { EVENT_TRIGGER_DOCUMENTS } from "./documents/event-trigger-documents.ts";
import { RULES_SHOWN } from "./documents/rule-documents.ts";

/** What every place can be asked of a document. */
interface Checked {
  /** Whether the text is YAML at all. */
  readable: boolean;
  /** Whether shape and document rules hold. */
  ok: boolean;
  /** Severity, field and message of each finding, and where it is. */
  findings: readonly unknown[];
  /** The machine as it was read, as JSON has it. */
  spec?: unknown;
}

interface Finding {
  severity: string;
  message: string;
  field?: string;
  line?: number;
  column?: number;
}

let edges: BothEdges;

beforeAll(async () => {
  edges = await startBothEdges();
}, 180_000);
afterAll(() => edges?.stop());

const told = ({ severity, message, field, line, column }: Finding) => ({
  severity,
  message,
  field,
  line,
  column,
});

/** A finding of the kit's about its own keys of a trigger. */
const OF_THE_KIT = /^states\..+\.triggers\..+\.(?:eventbridge|schedule)(?:\.|$)/;
/** The lint of the language for those keys, which the kit drops, since it knows them. */
const LINT_OF_THE_KIT = /carries the key "(?:eventbridge|schedule)"/;

/** What is left to compare with the kit's own aside (spec 07 §6). */
const isOfTheLanguage = ({ field, message }: Finding): boolean =>
  !OF_THE_KIT.test(field ?? "") && !LINT_OF_THE_KIT.test(message);

async function checkedOverHttp(ask: AskValidator, text: string): Promise<Checked> {
  const answer = await ask(posted(text));
  const body = bodyOf(answer);
  if (answer.status === 400) {
    const { detail, line, column } = body as { detail: string; line: number; column: number };
    return {
      readable: false,
      ok: false,
      findings: [told({ severity: "error", message: detail, line, column })],
    };
  }
  expect(answer.status).toBe(200);
  return {
    readable: true,
    ok: body.ok === true,
    findings: (body.diagnostics as Finding[]).filter(isOfTheLanguage).map(told),
    spec: body.spec,
  };
}

async function checkedByTheLoader(text: string): Promise<Checked> {
  const paths = workflowPaths("checked");
  const { issues, spec } = await loadMachineSpec(
    { readText: async (path) => (path === paths.workflowYaml ? text : null) },
    paths,
  );
  return {
    readable: !issues.some(
      ({ kind, message }) => kind === "not-a-mapping" && message.includes("no valid YAML"),
    ),
    ok: !issues.some(({ kind }) => kind !== "lint"),
    findings: issues.filter(isOfTheLanguage).map(told),
    spec: spec === undefined ? undefined : JSON.parse(JSON.stringify(spec)),
  };
}

/**
 * What `archmax validate --json` says of the document alone: the findings in front, each with its place in the message.
 * Behind them stands what the workspace lacks, and a finding of that sort has no place.
 */
function toldByTheCommand({ stdout }: ValidateRun): unknown[] {
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] };
  return diagnostics.flatMap(({ severity, message, field }) => {
    const [, words, line, column] = /^(.*) \(line (\d+), column (\d+)\)$/s.exec(message) ?? [];
    if (words === undefined) return [];
    return [{ severity, message: words, field, line: Number(line), column: Number(column) }];
  });
}

/** The loader ends a message that is followed by a place without its full stop. */
const beforeAPlace = (findings: readonly unknown[]) =>
  (findings as Finding[]).map((finding) => ({ ...finding, message: finding.message.replace(/\.$/, "") }));

const PLACES: Readonly<Record<string, (text: string) => Promise<Checked>>> = {
  "the Worker": (text) => checkedOverHttp(edges.worker.ask, text),
  "the Lambda@Edge handler": (text) => checkedOverHttp(edges.edge.ask, text),
  "the loader": checkedByTheLoader,
};

/** A document of too many nodes is refused everywhere in one sentence, not by the service alone. */
async function refusedByTheLoaderAsWell(name: string, text: string): Promise<void> {
  const { detail } = bodyOf(await edges.worker.ask(posted(text)));
  const { findings } = await checkedByTheLoader(text);
  expect({ name, findings }).toEqual({
    name,
    findings: [{ severity: "error", message: detail, field: undefined, line: 1, column: 1 }],
  });
}

test("there are 300 documents, and each rule and lint has its own", () => {
  expect(new Set(ALL_DOCUMENTS.map(({ text }) => text)).size).toBeGreaterThanOrEqual(300);
  const rules = Array.from({ length: 9 }, (_, at) => `X${at + 1}`);
  const lints = Array.from({ length: 20 }, (_, at) => `L${at + 1}`);
  expect(RULES_SHOWN).toEqual([...rules, ...lints]);
});

test("EDGE-001 every document gets deep-equal answers from the Worker, the Lambda@Edge handler and the loader", async () => {
  const seen = { ok: 0, refused: 0, malformed: 0 };
  for (const { title, text } of ALL_DOCUMENTS) {
    const answers = await Promise.all(Object.values(PLACES).map((check) => check(text)));
    const [first] = answers;
    for (const [at, place] of Object.keys(PLACES).entries())
      expect({ title, place, ...answers[at] }).toEqual({ title, place, ...first });
    const [worker, edge] = [await edges.worker.ask(posted(text)), await edges.edge.ask(posted(text))];
    expect({ title, status: edge.status, body: bodyOf(edge) }).toEqual({
      title,
      status: worker.status,
      body: bodyOf(worker),
    });
    if (first?.readable === false) seen.malformed += 1;
    else if (first?.ok === true) seen.ok += 1;
    else seen.refused += 1;
  }
  // The documents are of every sort, not many of one.
  expect(Math.min(seen.ok, seen.refused, seen.malformed)).toBeGreaterThan(30);
}, 120_000);

test("EDGE-001 archmax validate --json finds in every document what the edges find", async () => {
  const texts = ALL_DOCUMENTS.map(({ text }) => text);
  const root = await workspaceOf(texts);
  const runs = await archmaxValidate(root, texts.length);
  for (const [at, { title, text }] of ALL_DOCUMENTS.entries()) {
    const run = runs[at] ?? { exitCode: Number.NaN, stdout: "" };
    const { findings } = await checkedOverHttp(edges.edge.ask, text);
    expect({ title, findings: toldByTheCommand(run) }).toEqual({ title, findings: beforeAPlace(findings) });
    const { workflow, valid } = JSON.parse(run.stdout) as { workflow: string; valid: boolean };
    const isSound = !(findings as Finding[]).some(({ severity }) => severity === "error");
    // A sound document may still lack a script or a skill in the workspace.
    expect({ title, workflow, sound: isSound || !valid }).toEqual({ title, workflow: `d${at}`, sound: true });
    expect({ title, exitCode: run.exitCode }).toEqual({ title, exitCode: valid ? 0 : 1 });
  }
  // The program run in one process for all of them says what it says when a shell starts it.
  for (const at of [0, texts.length >> 1, texts.length - 1])
    expect(await archmaxOnce(root, `d${at}`)).toEqual(runs[at]);
}, 60_000);

test("EDGE-001 each hand-written document shows the finding it is there for", async () => {
  for (const { title, text, finds } of ALL_DOCUMENTS) {
    if (finds === undefined) continue;
    const answer = await edges.edge.ask(posted(text));
    const shown =
      answer.status === 200
        ? (bodyOf(answer).diagnostics as Finding[]).map(({ severity, field = "-" }) => `${severity} ${field}`)
        : ["malformed"];
    expect({ title, shown }).toEqual({ title, shown: expect.arrayContaining([finds]) });
  }
}, 60_000);

test("EDGE-001 both edges know the kit's own keys: no lint for them, their own findings alike", async () => {
  let told = 0;
  for (const { text } of EVENT_TRIGGER_DOCUMENTS) {
    const answers = [await edges.worker.ask(posted(text)), await edges.edge.ask(posted(text))].map(bodyOf);
    expect(answers[1]).toEqual(answers[0]);
    const findings = answers[0]?.diagnostics as Finding[];
    expect(findings.filter(({ message }) => LINT_OF_THE_KIT.test(message))).toEqual([]);
    for (const finding of findings.filter(({ field }) => OF_THE_KIT.test(field ?? ""))) {
      expect(finding).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
      told += 1;
    }
  }
  expect(told).toBeGreaterThan(10);
});

test("EDGE-001 a document written as JSON and sent as JSON finds what it finds as YAML", async () => {
  const written = ALL_DOCUMENTS.filter(({ title }) => title.startsWith("tree "));
  expect(written.length).toBeGreaterThan(100);
  for (const { title, text } of written) {
    const asYaml = bodyOf(await edges.worker.ask(posted(text)));
    for (const ask of [edges.worker.ask, edges.edge.ask]) {
      const asJson = await ask(posted(text, "application/json"));
      expect({ title, body: bodyOf(asJson) }).toEqual({ title, body: asYaml });
    }
  }
}, 60_000);

test("EDGE-001 documents that cost as much as they can get the same answers, wherever they are taken", async () => {
  let taken = 0;
  for (const { name, syntax, text } of hostileDocuments()) {
    if (syntax !== "yaml") continue;
    const { status } = await edges.worker.ask(posted(text));
    if (status === 413) await refusedByTheLoaderAsWell(name, text);
    if (status > 400) continue;
    const answers = await Promise.all(Object.values(PLACES).map((check) => check(text)));
    for (const [at, place] of Object.keys(PLACES).entries())
      expect({ name, place, ...answers[at] }).toEqual({ name, place, ...answers[0] });
    taken += 1;
  }
  expect(taken).toBeGreaterThan(10);
}, 120_000);

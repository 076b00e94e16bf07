import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "./digest.ts";
import { concat, frame, unframe, utf8 } from "./framing.ts";
import { type ListPlan, planList, type Run, TAIL_BYTES } from "./list-runs.ts";

/** Stores a plan as the saver does: what was new is known by its digest from now on. */
class Shelf {
  readonly contents = new Map<string, Uint8Array>();
  written = 0;

  store(plan: ListPlan): { runs: Run[]; tail: readonly Uint8Array[] } {
    const runs = plan.runs.map((planned): Run => {
      if (planned.kind === "stored") return planned.run;
      const bytes = concat(planned.elements);
      this.contents.set(planned.digest, bytes);
      this.written += bytes.byteLength;
      return {
        count: planned.elements.length,
        blob: { digest: planned.digest, size: bytes.byteLength, parts: 1 },
      };
    });
    return { runs, tail: plan.tail };
  }

  read({ runs, tail }: { runs: Run[]; tail: readonly Uint8Array[] }): string[] {
    const bytes = [...runs.map(({ blob }) => this.contents.get(blob.digest) ?? new Uint8Array()), ...tail];
    return unframe(concat(bytes)).map((typed) => new TextDecoder().decode(typed.bytes));
  }
}

const framed = (element: string) => frame({ type: "json", bytes: utf8(element) });

describe("runs of a list", () => {
  test("any history of appends, edits, removals and replacements reads back exactly, every version", () => {
    const element = fc.string({ maxLength: 3_000, unit: "grapheme" });
    const edit = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("append" as const),
          elements: fc.array(element, { maxLength: 6 }),
        }),
      },
      fc.record({ kind: fc.constant("replace" as const), at: fc.nat(), element }),
      fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
      fc.record({ kind: fc.constant("restart" as const), elements: fc.array(element, { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const shelf = new Shelf();
        const versions: { list: string[]; stored: { runs: Run[]; tail: readonly Uint8Array[] } }[] = [];
        let list: string[] = [];
        for (const each of edits) {
          if (each.kind === "append") list = [...list, ...each.elements];
          else if (each.kind === "restart") list = each.elements;
          else if (list.length > 0)
            list =
              each.kind === "replace"
                ? list.with(each.at % list.length, each.element)
                : list.toSpliced(each.at % list.length, 1);
          const plan = planList(list.map(framed), versions.at(-1)?.stored.runs ?? []);
          versions.push({ list, stored: shelf.store(plan) });
        }
        for (const { list: expected, stored } of versions) expect(shelf.read(stored)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("a growing list keeps few runs, a small tail, and rewrites an element a few times at most", () => {
    const shelf = new Shelf();
    const list: Uint8Array[] = [];
    let stored: { runs: Run[]; tail: readonly Uint8Array[] } = { runs: [], tail: [] };
    let bytes = 0;
    for (let step = 0; step < 2_000; step += 1) {
      list.push(framed(`${step} `.padEnd(1_000, "x")));
      bytes += list.at(-1)?.byteLength ?? 0;
      stored = shelf.store(planList(list, stored.runs));
      expect(concat(stored.tail).byteLength).toBeLessThanOrEqual(TAIL_BYTES);
    }
    expect(stored.runs.length).toBeLessThan(26);
    expect(shelf.written / bytes).toBeLessThan(4);
  });

  test("an element replaced in the middle rewrites its run alone", () => {
    const shelf = new Shelf();
    const list = Array.from({ length: 1_000 }, (_, at) => framed(`${at} `.padEnd(1_000, "x")));
    let stored = shelf.store(planList(list.slice(0, 500), []));
    stored = shelf.store(planList(list, stored.runs));
    const before = shelf.written;
    const plan = planList(list.with(3, framed("replaced")), stored.runs);
    expect(plan.runs.filter(({ kind }) => kind === "new").length).toBe(1);
    shelf.store(plan);
    expect(shelf.written - before).toBeLessThan(300_000);
  });

  test("digests tell the boundaries of elements apart", () => {
    expect(digestOf([framed("ab"), framed("c")])).not.toBe(digestOf([framed("a"), framed("bc")]));
  });
});

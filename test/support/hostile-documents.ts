import { MAX_NODES, readJsonDocument, readYamlDocument } from "@archmax-ai/harness/internal/document";
import { HOSTILE_TEMPLATES, type HostileTemplate } from "./hostile-templates.ts";

/** A document that is meant to cost the validator as much as a text of its size can. */
export interface HostileDocument {
  readonly name: string;
  readonly syntax: "yaml" | "json";
  readonly text: string;
}

/** The largest document the validator service takes, in bytes. */
const SIZE = 262_144;

/**
 * Texts of 256 KB, each aimed at one part of the reader or the validator; and each that has too many nodes once more,
 * cut to the most it may have: what costs most is just below a bound.
 */
export function hostileDocuments(): HostileDocument[] {
  return HOSTILE_TEMPLATES.flatMap((template) => {
    const { name, syntax } = template;
    const whole = template.text(SIZE);
    const cut = cutToTheBound(template, whole);
    return [
      { name, syntax, text: whole },
      ...(cut === whole ? [] : [{ name: `${name}, cut to the bound`, syntax, text: cut }]),
    ];
  });
}

/** The longest text that is not refused for its nodes, or nearly. */
function cutToTheBound({ syntax, text }: HostileTemplate, whole: string): string {
  let [cut, size] = [whole, SIZE];
  for (;;) {
    const reading = syntax === "json" ? readJsonDocument(cut) : readYamlDocument(cut);
    const nodes = reading.ok ? undefined : reading.problem.tooManyNodes;
    if (nodes === undefined) return cut;
    // Their number grows with the bytes, so this comes close in few steps.
    size = Math.floor((size * MAX_NODES) / nodes) - 1;
    cut = text(size);
  }
}

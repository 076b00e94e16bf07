/** A document that every place that checks documents is shown. */
export interface TestDocument {
  title: string;
  text: string;
  /**
   * A finding it is there for, as `<severity> <field>`, `-` for a finding without a field; `malformed` where the text
   * is no YAML. Left out: whatever the validator makes of it.
   */
  finds?: string;
}

/** The smallest document without a finding, with lines put in: below `a` by four spaces, at the end by none. */
export function machine({
  a = "",
  z = "",
  root = "",
}: {
  a?: string;
  z?: string;
  root?: string;
} = {}): string {
  const indented = (text: string) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `    ${line}\n`)
      .join("");
  const transitions = a.includes("transitions:")
    ? ""
    : "    transitions: [{ to: z, description: It is done. }]\n";
  const triggers = a.includes("triggers:") ? "" : "    triggers: { manual: }\n";
  const instructions = root.includes("instructions:") ? "" : "instructions: Work with care.\n";
  return `${instructions}states:\n  a:\n${triggers}${transitions}${indented(a)}  z:\n${indented(z)}${root}${root.endsWith("\n") || root === "" ? "" : "\n"}`;
}

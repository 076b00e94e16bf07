import { type Node, parse } from "acorn";

/** What the specifier of an import in a script has to start with (spec 05 B3). */
export const SANDBOX_IMPORT_PREFIX = "@archmax-ai/harness/";

/**
 * The specifiers a script imports from, in order, repeats kept: those of its `import` and `export … from`
 * declarations, not text that merely looks like one. `import()` is no declaration: it rejects when it runs.
 *
 * @param source an ECMAScript module; a top-level `return` or `await` is fine
 * @throws SyntaxError (with `line:column` in its message) for a source that does not parse
 */
export function scriptImports(source: string): string[] {
  const { body } = parse(source, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowReturnOutsideFunction: true,
  });
  return body.flatMap((statement: Node & { source?: { value?: unknown } | null }) => {
    const specifier = statement.source?.value;
    return typeof specifier === "string" ? [specifier] : [];
  });
}

/** The specifiers of a script's imports that nothing in the sandbox serves. Throws as {@link scriptImports}. */
export function foreignImports(source: string): string[] {
  return scriptImports(source).filter((specifier) => !specifier.startsWith(SANDBOX_IMPORT_PREFIX));
}

import { printParseErrorCode, visit } from "jsonc-parser";
import { type DocumentNode, offsetOf } from "./document-node.ts";
import { placesIn } from "./places.ts";
import { type DocumentReading, MAX_DEPTH, MAX_KEY_LENGTH } from "./reading.ts";
import { withoutByteOrderMark } from "./text.ts";

/**
 * Reads a JSON document (RFC 8259: no comments, no trailing commas) by the rules YAML documents have here: a key
 * repeated in one object or longer than 1,024 characters, and nesting beyond 64, are refused. Never throws, and takes time linear in the text's length.
 */
export function readJsonDocument(written: string): DocumentReading {
  const text = withoutByteOrderMark(written);
  const placeAt = placesIn(text);
  const refused = (message: string, offset: number): DocumentReading => ({
    ok: false,
    problem: { message: `it is no valid JSON: ${message}`, ...placeAt(offset) },
  });
  try {
    const { tree, nodes } = jsonTree(text);
    const value: unknown = JSON.parse(text);
    return { ok: true, nodes, value, placeOf: (field) => placeAt(offsetOf(tree, field)) };
  } catch (error) {
    if (error instanceof JsonRefusal) return refused(error.message, error.offset);
    return refused(error instanceof Error ? error.message : String(error), 0);
  }
}

/** Ends a walk at the first thing that is wrong. */
class JsonRefusal extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface OpenNode extends DocumentNode {
  readonly members: Map<string, DocumentNode>;
  /** The key of an object's next value; `undefined` in a list. */
  key?: { readonly name: string; readonly offset: number };
}

function jsonTree(text: string): { tree: DocumentNode; nodes: number } {
  let tree: DocumentNode = { offset: 0 };
  let nodes = 0;
  const open: OpenNode[] = [];
  const place = (offset: number, members?: Map<string, DocumentNode>) => {
    const parent = open.at(-1);
    const node = { offset: parent?.key?.offset ?? offset, ...(members !== undefined && { members }) };
    nodes += parent?.key === undefined ? 1 : 2;
    if (parent === undefined) tree = node;
    else parent.members.set(parent.key?.name ?? String(parent.members.size), node);
  };
  const begin = (offset: number) => {
    if (open.length === MAX_DEPTH) throw new JsonRefusal(`it nests deeper than ${MAX_DEPTH}`, offset);
    const members = new Map<string, DocumentNode>();
    place(offset, members);
    open.push({ offset, members });
  };
  const end = () => {
    open.pop();
  };
  visit(
    text,
    {
      onObjectBegin: begin,
      onObjectEnd: end,
      onArrayBegin: begin,
      onArrayEnd: end,
      onObjectProperty(name, offset) {
        const parent = open.at(-1);
        if (parent === undefined) return;
        if (name.length > MAX_KEY_LENGTH) {
          throw new JsonRefusal(`a key is longer than ${MAX_KEY_LENGTH} characters`, offset);
        }
        if (parent.members.has(name)) throw new JsonRefusal("duplicated key", offset);
        parent.key = { name, offset };
      },
      onLiteralValue: (_value, offset) => place(offset),
      onError(code, offset) {
        throw new JsonRefusal(inWords(printParseErrorCode(code)), offset);
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  return { tree, nodes };
}

/** `CommaExpected` as "comma expected". */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

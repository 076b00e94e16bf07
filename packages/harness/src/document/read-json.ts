import { printParseErrorCode, visit } from "jsonc-parser";
import { type DocumentNode, offsetOf } from "./document-node.ts";
import { placesIn } from "./places.ts";
import { type DocumentReading, MAX_DEPTH, MAX_KEY_LENGTH, MAX_NODES, tooManyNodes } from "./reading.ts";
import { withoutByteOrderMark } from "./text.ts";

/**
 * Reads a JSON document (RFC 8259: no comments, no trailing commas) by the rules YAML documents have here: a key
 * repeated in one object or longer than 1,024 characters, nesting beyond 64, and more than {@link MAX_NODES} nodes, are refused. Never throws, and takes time linear in the text's length.
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
    if (nodes > MAX_NODES) return tooManyNodes(nodes);
    const value: unknown = JSON.parse(text);
    return { ok: true, value, placeOf: (field) => placeAt(offsetOf(tree, field)) };
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

type OpenNode =
  | { readonly list: DocumentNode[] }
  | { readonly object: Map<string, DocumentNode>; key?: { readonly name: string; readonly offset: number } };

function jsonTree(text: string): { tree: DocumentNode; nodes: number } {
  let tree: DocumentNode = { offset: 0 };
  let nodes = 0;
  const open: OpenNode[] = [];
  const place = (offset: number, members?: DocumentNode["members"]) => {
    nodes += 1;
    const parent = open.at(-1);
    const key = parent !== undefined && "object" in parent ? parent.key : undefined;
    const at = key?.offset ?? offset;
    const node = members === undefined ? { offset: at } : { offset: at, members };
    if (parent === undefined) tree = node;
    else if ("list" in parent) parent.list.push(node);
    else if (key !== undefined) parent.object.set(key.name, node);
  };
  const checkDepth = (offset: number) => {
    if (open.length === MAX_DEPTH) throw new JsonRefusal(`it nests deeper than ${MAX_DEPTH}`, offset);
  };
  const beginObject = (offset: number) => {
    checkDepth(offset);
    const object = new Map<string, DocumentNode>();
    place(offset, object);
    open.push({ object });
  };
  const beginList = (offset: number) => {
    checkDepth(offset);
    const list: DocumentNode[] = [];
    place(offset, list);
    open.push({ list });
  };
  const end = () => {
    open.pop();
  };
  visit(
    text,
    {
      onObjectBegin: beginObject,
      onObjectEnd: end,
      onArrayBegin: beginList,
      onArrayEnd: end,
      onObjectProperty(name, offset) {
        const parent = open.at(-1);
        if (parent === undefined || !("object" in parent)) return;
        nodes += 1;
        if (name.length > MAX_KEY_LENGTH) {
          throw new JsonRefusal(`a key is longer than ${MAX_KEY_LENGTH} characters`, offset);
        }
        if (parent.object.has(name)) throw new JsonRefusal("duplicated key", offset);
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

import { constructFromEvents, EVENT_ID, type Event, parseEvents, YAMLException } from "js-yaml";
import { type DocumentNode, offsetOf } from "./document-node.ts";
import { placesIn } from "./places.ts";
import { type DocumentReading, MAX_DEPTH, MAX_NODES, tooManyNodes } from "./reading.ts";
import { withoutByteOrderMark } from "./text.ts";
import { boundsProblem } from "./yaml-bounds.ts";
import { yamlTree } from "./yaml-tree.ts";

/** Where the parser gives up. It counts some styles otherwise, so the bound itself is told from its events. */
const PARSER_DEPTH = 2 * MAX_DEPTH;

/**
 * Reads one YAML 1.2 document (core schema: `no` is a string, `<<` an ordinary key). Refused as no YAML: a key
 * repeated in one mapping or longer than 1,024 characters, nesting beyond 64, aliases that refer to themselves or expand
 * too far, tags outside the core schema, a second document. Refused as too much: more than {@link MAX_NODES} nodes. An
 * empty text is the document `null`.
 *
 * Never throws, and takes time linear in the text's length.
 */
export function readYamlDocument(written: string): DocumentReading {
  const text = withoutByteOrderMark(written);
  const placeAt = placesIn(text);
  const refused = (message: string, offset: number): DocumentReading => ({
    ok: false,
    problem: { message: `it is no valid YAML: ${message}`, ...placeAt(offset) },
  });
  try {
    const events = parsedEvents(text);
    const second = secondDocument(events, text);
    if (second !== undefined) return refused("it holds more than one document", second);
    const excess = boundsProblem(events, text);
    if (excess !== undefined) return refused(excess.message, excess.offset);
    const [value = null] = constructFromEvents(events, { source: text });
    const nodes = writtenNodes(events);
    if (nodes > MAX_NODES) return tooManyNodes(nodes);
    let tree: DocumentNode | undefined;
    return {
      ok: true,
      value,
      placeOf(field) {
        tree ??= yamlTree(events, text);
        return placeAt(offsetOf(tree, field));
      },
    };
  } catch (error) {
    // The parser's documentation warns that a hostile text can make it throw other errors than its own.
    if (error instanceof YAMLException) return refused(reasonOf(error), error.mark?.position ?? 0);
    return refused(error instanceof Error ? error.message : String(error), 0);
  }
}

/** How many nodes are written. Aliases count as one each. */
function writtenNodes(events: readonly Event[]): number {
  let nodes = 0;
  for (const { type } of events) if (type !== EVENT_ID.DOCUMENT && type !== EVENT_ID.POP) nodes += 1;
  return nodes;
}

/** The events of a text. One that nests beyond where the parser gives up is refused where it passes the bound. */
function parsedEvents(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: PARSER_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException) || !isTooDeep(error)) throw error;
    return parseEvents(text, { maxDepth: MAX_DEPTH + 1 });
  }
}

function isTooDeep({ reason }: YAMLException): boolean {
  return reason.startsWith("nesting exceeded");
}

/** The parser's own words, but for the bound it counts otherwise. */
function reasonOf(error: YAMLException): string {
  return isTooDeep(error) ? `it nests deeper than ${MAX_DEPTH}` : error.reason;
}

/** Where a second document's content begins. */
function secondDocument(events: readonly Event[], text: string): number | undefined {
  const first = events.findIndex(({ type }) => type === EVENT_ID.DOCUMENT);
  const second = events.findIndex(({ type }, index) => index > first && type === EVENT_ID.DOCUMENT);
  if (second === -1) return undefined;
  const content = events[second + 1];
  const offset = content === undefined ? -1 : startOf(content);
  return offset === -1 ? text.length : offset;
}

/** Where an event's text begins, or -1 for one that stands for nothing written. */
function startOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart;
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart;
    default:
      return -1;
  }
}

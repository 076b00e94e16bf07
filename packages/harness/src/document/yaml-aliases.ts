import { EVENT_ID, type Event } from "js-yaml";

/** How many nodes aliases may stand for, those within what they stand for counted anew. The serverless host, 6. */
const MAX_EXPANSIONS = 100;

/**
 * How much text aliases may repeat, in UTF-16 units: the size of the largest document the validator takes. A hundred
 * aliases of one huge node would otherwise cost a hundred documents.
 */
const MAX_REPEATED_TEXT = 262_144;

/** What a node comes to once the aliases in it are expanded. */
interface Weight {
  /** Aliases within, expanded. */
  expansions: number;
  /** Text these repeat. */
  repeated: number;
  /** Text in all. */
  text: number;
}

interface OpenNode extends Weight {
  readonly anchor: string | undefined;
}

/** A reason to refuse the aliases of a document, and the offset of the alias it is about. */
export interface AliasProblem {
  readonly message: string;
  readonly offset: number;
}

/**
 * Whether a document's aliases stay within bounds: none stands for a node it is part of, and together they neither
 * expand to too many nodes nor repeat too much text. Told from the parser's events, before anything is expanded.
 *
 * An alias without an anchor is the parser's to refuse and is passed over.
 */
export function aliasProblem(events: readonly Event[], source: string): AliasProblem | undefined {
  if (!events.some(({ type }) => type === EVENT_ID.ALIAS)) return undefined;
  const anchors = new Map<string, Weight | "open">();
  const open: OpenNode[] = [{ anchor: undefined, expansions: 0, repeated: 0, text: 0 }];
  const add = (weight: Weight) => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.expansions += weight.expansions;
    parent.repeated += weight.repeated;
    parent.text += weight.text;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS) {
      const target = anchors.get(source.slice(event.anchorStart, event.anchorEnd));
      const offset = event.anchorStart;
      if (target === undefined) continue;
      if (target === "open") return { message: "an alias stands for a node it is part of", offset };
      add({
        expansions: 1 + target.expansions,
        repeated: target.text,
        text: target.text,
      });
      const problem = excess(open, offset);
      if (problem !== undefined) return problem;
    } else if (event.type === EVENT_ID.SCALAR) {
      const weight = { expansions: 0, repeated: 0, text: event.valueEnd - event.valueStart + 1 };
      const anchor = anchorOf(event, source);
      if (anchor !== undefined) anchors.set(anchor, weight);
      add(weight);
    } else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      const anchor = anchorOf(event, source);
      if (anchor !== undefined) anchors.set(anchor, "open");
      open.push({ anchor, expansions: 0, repeated: 0, text: 1 });
    } else if (event.type === EVENT_ID.POP && open.length > 1) {
      const closed = open.pop();
      if (closed === undefined) continue;
      // An anchor named again inside its own node already stands for that inner node.
      if (closed.anchor !== undefined && anchors.get(closed.anchor) === "open") {
        anchors.set(closed.anchor, closed);
      }
      add(closed);
    }
  }
  return undefined;
}

/** Whether the document so far, its open nodes together, exceeds a bound. */
function excess(open: readonly OpenNode[], offset: number): AliasProblem | undefined {
  const expansions = open.reduce((sum, node) => sum + node.expansions, 0);
  if (expansions > MAX_EXPANSIONS) {
    return { message: `aliases expand to more than ${MAX_EXPANSIONS} nodes`, offset };
  }
  const repeated = open.reduce((sum, node) => sum + node.repeated, 0);
  if (repeated > MAX_REPEATED_TEXT) {
    return { message: `aliases repeat more than ${MAX_REPEATED_TEXT} characters`, offset };
  }
  return undefined;
}

function anchorOf(event: { anchorStart: number; anchorEnd: number }, source: string): string | undefined {
  return event.anchorStart === -1 ? undefined : source.slice(event.anchorStart, event.anchorEnd);
}

import { EVENT_ID, type Event } from "js-yaml";
import { MAX_DEPTH, MAX_KEY_LENGTH } from "./reading.ts";

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
  readonly expansions: number;
  /** Text, that of expanded aliases included. */
  readonly text: number;
}

interface OpenNode {
  readonly anchor: string | undefined;
  readonly isMapping: boolean;
  /** How many nodes stand directly in it: in a mapping keys and values by turns. */
  children: number;
  text: number;
  /** The document's expansions when it was opened. */
  readonly before: number;
}

/** A bound that a document exceeds, and the offset where it does. */
export interface BoundsProblem {
  readonly message: string;
  readonly offset: number;
}

/**
 * Whether a document stays within bounds: it does not nest too deep, no key is too long, no alias stands for a node it is part of, and the
 * aliases together neither expand to too many nodes nor repeat too much text. Told from the parser's events, before
 * anything is expanded.
 *
 * An alias without an anchor is the parser's to refuse and is passed over.
 */
export function boundsProblem(events: readonly Event[], source: string): BoundsProblem | undefined {
  const anchors = new Map<string, Weight | "open">();
  const open: OpenNode[] = [];
  let expansions = 0;
  let repeated = 0;

  const add = (text: number) => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.text += text;
    parent.children += 1;
  };
  const isKey = () => {
    const parent = open.at(-1);
    return parent?.isMapping === true && parent.children % 2 === 0;
  };

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.ALIAS: {
        const target = anchors.get(source.slice(event.anchorStart, event.anchorEnd));
        const offset = event.anchorStart;
        if (target === "open") return { message: "an alias stands for a node it is part of", offset };
        expansions += 1 + (target?.expansions ?? 0);
        repeated += target?.text ?? 0;
        if (expansions > MAX_EXPANSIONS) {
          return { message: `aliases expand to more than ${MAX_EXPANSIONS} nodes`, offset };
        }
        if (repeated > MAX_REPEATED_TEXT) {
          return { message: `aliases repeat more than ${MAX_REPEATED_TEXT} characters`, offset };
        }
        add(target?.text ?? 0);
        break;
      }
      case EVENT_ID.SCALAR: {
        const length = event.valueEnd - event.valueStart;
        if (length > MAX_KEY_LENGTH && isKey()) {
          return { message: `a key is longer than ${MAX_KEY_LENGTH} characters`, offset: event.valueStart };
        }
        const anchor = anchorOf(event, source);
        if (anchor !== undefined) anchors.set(anchor, { expansions: 0, text: length + 1 });
        add(length + 1);
        break;
      }
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        if (open.length === MAX_DEPTH) {
          return { message: `it nests deeper than ${MAX_DEPTH}`, offset: event.start };
        }
        const anchor = anchorOf(event, source);
        if (anchor !== undefined) anchors.set(anchor, "open");
        const isMapping = event.type === EVENT_ID.MAPPING;
        open.push({ anchor, isMapping, children: 0, text: 1, before: expansions });
        break;
      }
      case EVENT_ID.POP: {
        const closed = open.pop();
        if (closed === undefined) break;
        // An anchor named again inside its own node already stands for that inner node.
        if (closed.anchor !== undefined && anchors.get(closed.anchor) === "open") {
          anchors.set(closed.anchor, { expansions: expansions - closed.before, text: closed.text });
        }
        add(closed.text);
        break;
      }
      default:
    }
  }
  return undefined;
}

function anchorOf(event: { anchorStart: number; anchorEnd: number }, source: string): string | undefined {
  return event.anchorStart === -1 ? undefined : source.slice(event.anchorStart, event.anchorEnd);
}

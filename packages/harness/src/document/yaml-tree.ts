import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import type { DocumentNode } from "./document-node.ts";

/**
 * The nodes of a YAML document with their offsets, from the parser's events. An alias is the node it stands for: what
 * is wrong under an alias has to be put right at the anchor.
 */
export function yamlTree(events: readonly Event[], source: string): DocumentNode {
  const anchors = new Map<string, DocumentNode>();
  let at = events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0;

  /** Reads the node at `at` and leaves `at` behind it. */
  function node(fallback: number): DocumentNode {
    const event = events[at++];
    switch (event?.type) {
      case EVENT_ID.ALIAS:
        return anchors.get(source.slice(event.anchorStart, event.anchorEnd)) ?? { offset: event.anchorStart };
      case EVENT_ID.SEQUENCE: {
        const members: DocumentNode[] = [];
        const read = { offset: event.start === -1 ? fallback : event.start, members };
        while (!isEnd()) members.push(node(read.offset));
        at += 1;
        return anchored(event, read);
      }
      case EVENT_ID.MAPPING: {
        const members = new Map<string, DocumentNode>();
        const read = { offset: event.start === -1 ? fallback : event.start, members };
        readEntries(members, read.offset);
        return anchored(event, read);
      }
      case EVENT_ID.SCALAR:
        return anchored(event, { offset: scalarOffset(event) ?? fallback });
      default:
        return { offset: fallback };
    }
  }

  function readEntries(members: Map<string, DocumentNode>, fallback: number): void {
    while (!isEnd()) {
      const key = events[at];
      const { offset } = node(fallback);
      const value = node(offset);
      if (key?.type === EVENT_ID.SCALAR) {
        members.set(getScalarValue(source, key), {
          offset,
          ...(value.members !== undefined && { members: value.members }),
        });
      }
    }
    at += 1;
  }

  function isEnd(): boolean {
    const event = events[at];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  function anchored(event: { anchorStart: number; anchorEnd: number }, read: DocumentNode): DocumentNode {
    if (event.anchorStart !== -1) anchors.set(source.slice(event.anchorStart, event.anchorEnd), read);
    return read;
  }

  return node(0);
}

/** Where a scalar begins, its quotation mark included; `undefined` for one that is not written. */
function scalarOffset({ valueStart, style }: ScalarEvent): number | undefined {
  if (valueStart === -1) return undefined;
  const quoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? valueStart - 1 : valueStart;
}

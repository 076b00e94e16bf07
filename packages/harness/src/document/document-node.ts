/** A node of a parsed document, as far as telling places needs it. */
export interface DocumentNode {
  /** Where its text begins: of an entry of a mapping its key, of an item of a list the item. */
  readonly offset: number;
  /** The members of a mapping by key, of a list in order; none for a scalar. */
  readonly members?: ReadonlyMap<string, DocumentNode> | readonly DocumentNode[];
}

/**
 * The offset of what a dotted key path addresses, or of the nearest thing around it that is written down: a missing
 * key is told by the mapping that lacks it.
 *
 * Keys may hold dots themselves, so a step may take several parts of the path.
 */
export function offsetOf(root: DocumentNode, field: string | undefined): number {
  return field === undefined || field === "" ? root.offset : deepest(root, field).offset;
}

interface Reach {
  readonly offset: number;
  /** How much of the path was left over. */
  readonly left: number;
}

function deepest(node: DocumentNode, path: string): Reach {
  let best: Reach = { offset: node.offset, left: path.length };
  if (node.members === undefined) return best;
  for (let end = nextDot(path, 0); ; end = nextDot(path, end + 1)) {
    const member = memberOf(node.members, path.slice(0, end));
    if (member !== undefined) {
      if (end === path.length) return { offset: member.offset, left: 0 };
      const reach = deepest(member, path.slice(end + 1));
      if (reach.left === 0) return reach;
      if (reach.left < best.left) best = reach;
    }
    if (end === path.length) return best;
  }
}

function memberOf(members: NonNullable<DocumentNode["members"]>, step: string): DocumentNode | undefined {
  if (!isList(members)) return members.get(step);
  return /^(?:0|[1-9]\d*)$/.test(step) ? members[Number(step)] : undefined;
}

function isList(members: NonNullable<DocumentNode["members"]>): members is readonly DocumentNode[] {
  return Array.isArray(members);
}

function nextDot(path: string, from: number): number {
  const dot = path.indexOf(".", from);
  return dot === -1 ? path.length : dot;
}

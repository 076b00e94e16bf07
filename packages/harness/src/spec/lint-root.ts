import { mountGrantsOf } from "./lint-findings.ts";
import type { MachineSpec } from "./schema.ts";
import { cut, ownValue, stringsOf } from "./shapes.ts";

/** What the root of a document says that the lint of every state compares with, read once for all of them. */
export interface RootFacts {
  readonly model: unknown;
  /** The skills every state is granted. */
  readonly grantedSkills: ReadonlySet<string>;
  /** Every skill a root list names, granted or denied. */
  readonly namedSkills: ReadonlySet<string>;
  /** The mounts every state is granted, each with whether a grant of it reaches further than reading. */
  readonly grantedMounts: ReadonlyMap<string, boolean>;
  /** The granted skills for a message. */
  readonly skillsListed: string;
  /** The granted mounts for a message. */
  readonly mountsListed: string;
}

/** Up to how many names a message lists, which may be there for every state. */
const MAX_LISTED = 8;

/** Reads the root of a document for the lint of its states. */
export function rootFactsOf(spec: MachineSpec): RootFacts {
  const skills = ownValue(spec, "skills");
  const grantedSkills = new Set(stringsOf(ownValue(skills, "allow_always")));
  const grantedMounts = new Map<string, boolean>();
  for (const { mount, access } of mountGrantsOf(ownValue(ownValue(spec, "mounts"), "allow_always"))) {
    grantedMounts.set(mount, access !== "read" || grantedMounts.get(mount) === true);
  }
  return {
    model: ownValue(ownValue(spec, "settings"), "model"),
    grantedSkills,
    namedSkills: new Set([...grantedSkills, ...stringsOf(ownValue(skills, "forbid_always"))]),
    grantedMounts,
    skillsListed: listed([...grantedSkills]),
    mountsListed: listed([...grantedMounts.keys()]),
  };
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, MAX_LISTED).map(cut).join(", ");
  return names.length > MAX_LISTED ? `${first} and ${names.length - MAX_LISTED} more` : first;
}

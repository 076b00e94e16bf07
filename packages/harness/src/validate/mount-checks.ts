import type { Diagnostic } from "../spec/diagnostics.ts";
import { mountGrantsOf } from "../spec/lint-findings.ts";
import { ownValue, show, stringsOf } from "../spec/shapes.ts";
import { errorOn, type ValidationSubject, warningOn } from "./findings.ts";

/** A list of a document that names mounts. */
interface MountList {
  readonly field: string;
  readonly list: unknown;
}

/**
 * Holds the document's mount names against the host's table (spec 02 §12): names nobody serves, grants that open
 * nothing, denials of what nothing enables.
 */
export function checkMounts(subject: ValidationSubject): Diagnostic[] {
  const { spec, machine, mounts } = subject;
  const root = ownValue(spec, "mounts");
  const grants: MountList[] = [
    { field: "mounts.allow_always", list: ownValue(root, "allow_always") },
    ...machine.states.map((slug) => ({
      field: `states.${slug}.mounts.allow`,
      list: ownValue(machine.state(slug).mounts, "allow"),
    })),
  ];
  const denials: MountList[] = [
    { field: "mounts.forbid_always", list: ownValue(root, "forbid_always") },
    ...machine.states.map((slug) => ({
      field: `states.${slug}.mounts.forbid`,
      list: ownValue(machine.state(slug).mounts, "forbid"),
    })),
  ];
  return [
    ...(mounts.governed.length > 0 && root === undefined
      ? [warningOn("mounts", `there is no mounts block, so no state reaches ${mounts.governed.join(", ")}`)]
      : []),
    ...grants.flatMap(({ field, list }) =>
      mountGrantsOf(list).flatMap(({ mount, access }) => checkGrant(subject, field, mount, access)),
    ),
    ...denials.flatMap(({ field, list }) =>
      stringsOf(list).flatMap((mount) => unknownMount(subject, field, mount)),
    ),
    ...machine.states.flatMap((slug) => idleDenials(subject, slug)),
  ];
}

function checkGrant(
  subject: ValidationSubject,
  field: string,
  mount: string,
  access: "read" | "read_write" | undefined,
): Diagnostic[] {
  const unknown = unknownMount(subject, field, mount);
  if (unknown.length > 0) return unknown;
  const { governed, writable } = subject.mounts;
  const found: Diagnostic[] = [];
  if (!governed.includes(mount)) {
    found.push(
      warningOn(field, `the mount ${show(mount)} is not governed: every state reaches it without a grant`),
    );
  }
  if (access === "read_write" && !writable.includes(mount)) {
    found.push(
      warningOn(field, `the mount ${show(mount)} is served read-only: read_write opens no writing there`),
    );
  }
  return found;
}

function unknownMount({ mounts }: ValidationSubject, field: string, mount: string): Diagnostic[] {
  const known = [...mounts.dirs, ...mounts.files];
  if (known.includes(mount)) return [];
  return [
    errorOn(
      field,
      `no mount is named ${show(mount)}; served are ${known.length === 0 ? "none" : known.join(", ")}`,
    ),
  ];
}

/** A state's denials of governed mounts that neither it nor the workflow enables. */
function idleDenials({ spec, machine, mounts }: ValidationSubject, slug: string): Diagnostic[] {
  const block = machine.state(slug).mounts;
  const enabled = [
    ...mountGrantsOf(ownValue(block, "allow")),
    ...mountGrantsOf(ownValue(ownValue(spec, "mounts"), "allow_always")),
  ].map(({ mount }) => mount);
  return stringsOf(ownValue(block, "forbid"))
    .filter((mount) => mounts.governed.includes(mount) && !enabled.includes(mount))
    .map((mount) =>
      warningOn(
        `states.${slug}.mounts.forbid`,
        `the mount ${show(mount)} is governed and nothing enables it here`,
      ),
    );
}

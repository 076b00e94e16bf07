import type { Diagnostic } from "../spec/diagnostics.ts";
import { ownValue, show, stringsOf } from "../spec/shapes.ts";
import { isSlug } from "../spec/slugs.ts";
import type { DiscoveredSkills } from "../workspace/skills.ts";
import { errorOn, type ValidationSubject, warningOn } from "./findings.ts";

/** Holds the document's skill lists against the bundles there are, and the bundles against their own names. */
export function checkSkills(
  { spec, machine }: ValidationSubject,
  discovered: DiscoveredSkills,
): Diagnostic[] {
  const { skills, problems } = discovered;
  const root = ownValue(spec, "skills");
  const known = skills.map(({ slug }) => slug);
  const lists: [string, unknown][] = [
    ["skills.allow_always", ownValue(root, "allow_always")],
    ["skills.forbid_always", ownValue(root, "forbid_always")],
    ...machine.states.flatMap((slug): [string, unknown][] => [
      [`states.${slug}.skills.allow`, ownValue(machine.state(slug).skills, "allow")],
      [`states.${slug}.skills.forbid`, ownValue(machine.state(slug).skills, "forbid")],
    ]),
  ];
  return [
    ...(skills.length > 0 && root === undefined
      ? [
          warningOn(
            "skills",
            "there is no skills block, so every state lists what it enables by itself or has none",
          ),
        ]
      : []),
    ...problems.map((problem) => warningOn("skills", problem)),
    ...skills.flatMap(checkBundle),
    ...lists.flatMap(([field, list]) =>
      stringsOf(list)
        .filter((slug) => !known.includes(slug))
        .map((slug) =>
          errorOn(
            field,
            `no skill is named ${show(slug)}; there are ${known.length === 0 ? "none" : known.join(", ")}`,
          ),
        ),
    ),
  ];
}

function checkBundle({ slug, name, path }: DiscoveredSkills["skills"][number]): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (!isSlug(slug)) {
    found.push(
      errorOn(
        "skills",
        `the directory of ${path} is no skill slug: lower-case letters and digits joined by hyphens`,
      ),
    );
  }
  if (name !== undefined && name !== slug) {
    found.push(
      errorOn(
        "skills",
        `${path} calls itself ${show(name)}, and a skill is named by its directory ${show(slug)}`,
      ),
    );
  }
  return found;
}

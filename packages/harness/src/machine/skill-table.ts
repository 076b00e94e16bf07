/** A skill bundle of the workspace. */
export interface SkillPrefix {
  /** The bundle's directory name. */
  readonly slug: string;
  /** The bundle's canonical path. */
  readonly prefix: string;
}

/** The skill bundles of a workspace, the longest prefix first, then by slug (spec 02 §1). */
export type SkillPrefixes = readonly SkillPrefix[];

/** The bundle that holds a canonical path, the innermost where bundles nest (spec 02 §2.6). */
export function bundleOf(canonicalPath: string, skills: SkillPrefixes): SkillPrefix | undefined {
  let innermost: SkillPrefix | undefined;
  for (const bundle of skills) {
    const { prefix } = bundle;
    if (canonicalPath !== prefix && !canonicalPath.startsWith(`${prefix}/`)) continue;
    if (innermost === undefined || prefix.length > innermost.prefix.length) innermost = bundle;
  }
  return innermost;
}

/**
 * A file name that is not taken: the name itself, else the name with `-1`, `-2`, … before its extension. The
 * extension starts at the last dot, not a leading one: `a.tar.gz` gives `a.tar-1.gz`, `.env` gives `.env-1`.
 */
export function numberedName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = dot > 0 ? name.slice(dot) : "";
  let candidate = name;
  for (let n = 1; taken.has(candidate); n += 1) candidate = `${stem}-${n}${extension}`;
  return candidate;
}

/** What replacing came to: the new text and how often, or why not. */
export type Replacement = { text: string; occurrences: number } | { error: string };

/**
 * Replaces a literal string, in the words and with the rules of Deep Agents' own backends: once unless
 * `replaceAll`, and an empty file takes its first content by an empty `oldString`.
 */
export function replaceString(
  text: string,
  oldString: string,
  newString: string,
  replaceAll: boolean,
): Replacement {
  if (oldString === "") {
    return text === ""
      ? { text: newString, occurrences: 0 }
      : { error: "Error: oldString cannot be empty when file has content" };
  }
  const parts = text.split(oldString);
  const occurrences = parts.length - 1;
  if (occurrences === 0) return { error: `Error: String not found in file: '${oldString}'` };
  if (occurrences > 1 && !replaceAll) {
    return {
      error:
        `Error: String '${oldString}' has multiple occurrences (appears ${occurrences} times) in file. Use ` +
        "replace_all=True to replace all instances, or provide a more specific string with surrounding context.",
    };
  }
  return { text: parts.join(newString), occurrences };
}

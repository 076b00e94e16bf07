import { query } from "jsonpath-rfc9535";
import { readJsonPath } from "./json-path.ts";

/**
 * What a path finds in an event: the one value of a path that names one place, or `undefined` where there is none;
 * of a path with a slice or a wildcard the list of what it finds.
 *
 * @throws TypeError for a path that `readJsonPath` refuses: it is checked before anything is mapped
 */
export function jsonPathValue(path: string, event: unknown): unknown {
  const reading = readJsonPath(path);
  if (!reading.ok) throw new TypeError(`The JSONPath ${JSON.stringify(path)} ${reading.problem}.`);
  const found = query(event as Parameters<typeof query>[0], path);
  return reading.single ? found[0] : found;
}

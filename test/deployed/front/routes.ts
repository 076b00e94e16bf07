/** Which function answers a request: what CloudFront asks too. */
import { classifyRequest } from "../../../infra/front/classify-request.ts";

/** The functions that answer HTTP. */
export const HTTP_FUNCTIONS = [
  "send",
  "decide",
  "reply",
  "deliver",
  "resolve",
  "sessions",
  "catalog",
] as const;

export type HttpFunction = (typeof HTTP_FUNCTIONS)[number];

/** By method and path; the query counts for nothing. */
export function functionFor(method: string, url: string): HttpFunction {
  const named = classifyRequest(method, url.split("?", 1)[0] ?? "");
  const found = HTTP_FUNCTIONS.find((each) => each === named);
  if (found === undefined) throw new Error(`No function is called ${named}.`);
  return found;
}

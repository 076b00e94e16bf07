import { type AnyClient, middlewareOf } from "./clients.ts";

/**
 * Loses the answer of a command's first request, below the SDK's retries: the request took effect, and others have
 * done something meanwhile.
 */
export function loseFirstAnswer(
  client: AnyClient,
  command: string,
  meanwhile: () => Promise<void> = async () => {},
): void {
  let isLost = false;
  middlewareOf(client).add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName !== command || isLost) return answer;
      isLost = true;
      await meanwhile();
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET", $metadata: {} });
    },
    { step: "deserialize", priority: "low", name: "loseFirstAnswer" },
  );
}

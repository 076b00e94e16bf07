/**
 * The innermost step around the model: what comes back is an assistant message, or the turn fails by name.
 *
 * Some endpoints' classes answer with a plain object; one that reads as an assistant message is taken as one
 * (spec 03 §4).
 */
import { AIMessage } from "@langchain/core/messages";
import { isCommand } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { messageTypeOf } from "../messages/index.ts";

/** The middleware to stand last, nearest to the model. */
export function modelResultMiddleware() {
  return createMiddleware({
    name: "ModelResultMiddleware",
    wrapModelCall: async (request, handler) => {
      const answer: unknown = await handler(request);
      if (AIMessage.isInstance(answer) || isCommand(answer)) return answer;
      if (typeof answer === "object" && answer !== null && "structuredResponse" in answer)
        return answer as never;
      const repaired = asAssistant(answer);
      if (repaired !== undefined) return repaired;
      const model = request.model as { model?: unknown; modelName?: unknown; _llmType?: () => string };
      const name =
        [model.model, model.modelName].find((id) => typeof id === "string") ?? model._llmType?.() ?? "model";
      throw new Error(
        `The model ${JSON.stringify(name)} answered with ${answer === null ? "null" : `a ${typeof answer}`} instead of an assistant message. Give a LangChain chat model whose calls return messages.`,
      );
    },
  });
}

function asAssistant(answer: unknown): AIMessage | undefined {
  if (typeof answer !== "object" || answer === null || messageTypeOf(answer) !== "ai") return undefined;
  const { content, tool_calls, id, usage_metadata, response_metadata } = answer as Partial<AIMessage>;
  return new AIMessage({
    content: content ?? "",
    ...(Array.isArray(tool_calls) ? { tool_calls } : {}),
    ...(id === undefined ? {} : { id }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    ...(response_metadata === undefined ? {} : { response_metadata }),
  });
}

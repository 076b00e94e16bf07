/**
 * Shows the model the images it reads (spec 04 §8). A tool message of chat completions carries no image, so a read
 * answers one line and leaves a record of path and type on its message; each later request gains the bytes, read
 * afresh, as a user message behind the batch of tool results. The bytes are in that request alone: never in the
 * history, a checkpoint, an event or the result of a script.
 */
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { messageTypeOf } from "../messages/index.ts";
import { ownValue } from "../spec/shapes.ts";
import { formatByteSize } from "../workspace/byte-size.ts";
import { type ImageFile, readImage } from "../workspace/image-files.ts";
import type { WorkspaceBackend } from "../workspace/router.ts";

/** How images are shown to the model. */
export interface ImageReadOptions {
  /** The largest image that is sent, in bytes. 10 MiB (10,485,760) unless said otherwise. */
  maxBytes?: number;
  /** How many of the session's images stay attached, the most recent first; all unless said otherwise. */
  keep?: number;
}

/** The bounds in force. */
interface ImageBounds {
  readonly maxBytes: number;
  readonly keep: number;
}

/** What a tool message keeps of an image that was read. */
interface ImageRecord {
  readonly path: string;
  readonly type: string;
}

type ContentPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const READ_TOOL = "read_file";
/** Where a tool message's artifact holds the record. */
const ARTIFACT_KEY = "archmaxImage";

/**
 * The bounds an `images` option asks for; `undefined` where images are not shown.
 *
 * @throws TypeError for a bound that is no whole number of zero or more
 */
export function imageBounds(images: boolean | ImageReadOptions | undefined): ImageBounds | undefined {
  if (images === undefined || images === false) return undefined;
  const { maxBytes = DEFAULT_MAX_BYTES, keep = Number.POSITIVE_INFINITY } = images === true ? {} : images;
  for (const [name, value] of Object.entries({ maxBytes, keep })) {
    if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) continue;
    throw new TypeError(`images.${name} must be a whole number of zero or more, not ${String(value)}.`);
  }
  return { maxBytes, keep };
}

/** The middleware to stand nearest to the model and to the tool: what governs, mocks or offloads comes before it. */
export function imageMiddleware(workspace: WorkspaceBackend, bounds: ImageBounds): AgentMiddleware {
  return createMiddleware({
    name: "ImageMiddleware",
    wrapToolCall: async (request, handler) => {
      const { name, args, id = "" } = request.toolCall;
      const path = name === READ_TOOL ? (ownValue(args, "file_path") ?? ownValue(args, "path")) : undefined;
      const image = typeof path === "string" ? await readImage(workspace, path) : undefined;
      return image === undefined ? handler(request) : answerRead(image, id, bounds);
    },
    wrapModelCall: async (request, handler) =>
      handler({ ...request, messages: await withImages(request.messages, workspace, bounds) }),
  }) as unknown as AgentMiddleware;
}

function answerRead(image: ImageFile, callId: string, { maxBytes }: ImageBounds): ToolMessage {
  const { path, type, bytes } = image;
  const facts = `Image '${path}' (${type}, ${formatByteSize(bytes.length)})`;
  if (bytes.length > maxBytes) {
    return new ToolMessage({ name: READ_TOOL, tool_call_id: callId, content: tooLarge(image, maxBytes) });
  }
  const record: ImageRecord = { path, type };
  return new ToolMessage({
    name: READ_TOOL,
    tool_call_id: callId,
    content: `${facts} is shown below.`,
    artifact: { [ARTIFACT_KEY]: record },
  });
}

/** The messages of a request with a user message behind each batch of tool results that read images. */
async function withImages(
  messages: BaseMessage[],
  workspace: WorkspaceBackend,
  bounds: ImageBounds,
): Promise<BaseMessage[]> {
  const records = messages.flatMap((message) => recordOf(message) ?? []);
  if (records.length === 0) return messages;
  const files = new Map<string, Promise<ImageFile | undefined>>();
  const read = (path: string): Promise<ImageFile | undefined> => {
    const known = files.get(path) ?? readImage(workspace, path);
    files.set(path, known);
    return known;
  };
  let older = Math.max(0, records.length - bounds.keep);
  const request: BaseMessage[] = [];
  let batch: ContentPart[] = [];
  for (const [index, message] of messages.entries()) {
    request.push(message);
    const record = recordOf(message);
    if (record !== undefined) {
      batch.push(...(older > 0 ? [dropped(record)] : shown(record, await read(record.path), bounds)));
      older -= 1;
    }
    const next = messages[index + 1];
    if (batch.length > 0 && (next === undefined || messageTypeOf(next) !== "tool")) {
      request.push(new HumanMessage({ content: batch }));
      batch = [];
    }
  }
  return request;
}

function recordOf(message: BaseMessage): ImageRecord | undefined {
  if (!ToolMessage.isInstance(message)) return undefined;
  const record = ownValue(message.artifact, ARTIFACT_KEY);
  const path = ownValue(record, "path");
  const type = ownValue(record, "type");
  return typeof path === "string" && typeof type === "string" ? { path, type } : undefined;
}

function dropped({ path, type }: ImageRecord): ContentPart {
  return text(`Image '${path}' (${type}) is no longer attached. Read it again to see it.`);
}

function shown(
  { path, type }: ImageRecord,
  image: ImageFile | undefined,
  { maxBytes }: ImageBounds,
): ContentPart[] {
  if (image === undefined) return [text(`Image '${path}' (${type}) is no longer available.`)];
  if (image.bytes.length > maxBytes) return [text(tooLarge(image, maxBytes))];
  const data = Buffer.from(image.bytes).toString("base64");
  return [
    text(`Image '${path}' (${image.type}):`),
    { type: "image_url", image_url: { url: `data:${image.type};base64,${data}` } },
  ];
}

function tooLarge({ path, type, bytes }: ImageFile, maxBytes: number): string {
  const bound = formatByteSize(maxBytes);
  return `Image '${path}' (${type}, ${formatByteSize(bytes.length)}) is not shown: an image may have ${bound} at most.`;
}

function text(content: string): ContentPart {
  return { type: "text", text: content };
}

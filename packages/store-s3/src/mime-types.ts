/** Types by extension, the table Deep Agents' own backends use. What is not in it is plain text. */
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".svg", "image/svg+xml"],
  [".heic", "image/heic"],
  [".heif", "image/heif"],
  [".mp3", "audio/mpeg"],
  [".wav", "audio/wav"],
  [".aiff", "audio/aiff"],
  [".aac", "audio/aac"],
  [".ogg", "audio/ogg"],
  [".flac", "audio/flac"],
  [".mp4", "video/mp4"],
  [".webm", "video/webm"],
  [".mpeg", "video/mpeg"],
  [".mpg", "video/mpeg"],
  [".mov", "video/quicktime"],
  [".avi", "video/x-msvideo"],
  [".flv", "video/x-flv"],
  [".wmv", "video/x-ms-wmv"],
  [".3gpp", "video/3gpp"],
  [".pdf", "application/pdf"],
  [".ppt", "application/vnd.ms-powerpoint"],
  [".pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  [".md", "text/markdown"],
  [".markdown", "text/markdown"],
  [".html", "text/html"],
  [".htm", "text/html"],
  [".css", "text/css"],
  [".csv", "text/csv"],
  [".xml", "text/xml"],
  [".json", "application/json"],
  [".js", "application/javascript"],
  [".mjs", "application/javascript"],
  [".cjs", "application/javascript"],
]);

const DEFAULT = "text/plain";

/** The type a file is read and written as, told by its extension alone. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return (dot > 0 ? MIME_TYPES.get(name.slice(dot).toLowerCase()) : undefined) ?? DEFAULT;
}

/** Whether files of a type are text to the protocol. Everything else is bytes. */
export function isTextType(mimeType: string): boolean {
  return (
    mimeType.startsWith("text/") ||
    mimeType === "application/json" ||
    mimeType === "application/javascript" ||
    mimeType === "image/svg+xml"
  );
}

/** The `Content-Type` of an object written as text or, by its extension, as bytes. */
export function writtenContentType(path: string): string {
  const type = mimeTypeOf(path);
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

/** The `Content-Type` of uploaded bytes: nothing says that those of an unknown extension are text. */
export function uploadedContentType(path: string): string {
  const type = mimeTypeOf(path);
  return type === DEFAULT && !/\.txt$/i.test(path) ? "application/octet-stream" : type;
}

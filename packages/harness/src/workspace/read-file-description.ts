import type { StructuredToolInterface } from "@langchain/core/tools";

/** The line of Deep Agents' `read_file` that promises the model blocks it will not get. */
const MULTIMODAL_LINE = /^[ \t]*- Images \(.*\bmultimodal\b.*$/m;
/** The line on paging such blocks. */
const PAGING_LINE = /^[ \t]*- For images and PDFs, pagination\b.*\r?\n?/m;
const TEXT_ONLY_LINE =
  "- Only text files are read. An image, audio, video, PDF or other binary file is answered with a notice instead of its content.";
const WITH_IMAGES_LINE =
  "- Only text files are read, and PNG, JPEG, GIF and WebP images, which are shown to you right after the result. Any other image, and an audio, video, PDF or other binary file, is answered with a notice instead of its content.";

const warned = new WeakSet<object>();

/**
 * Makes the description of `read_file` say what the workspace does: reads are text (spec 04 §8). The registered
 * tool object is edited in place, once; where the upstream line is gone the text stays and one warning says so.
 *
 * @param images whether the model is shown the images it reads
 */
export function adjustReadFileDescription(
  tool: StructuredToolInterface,
  images: boolean,
  warn: (message: string) => void,
): void {
  const { description } = tool;
  const line = images ? WITH_IMAGES_LINE : TEXT_ONLY_LINE;
  if (description.includes(line)) return;
  if (!MULTIMODAL_LINE.test(description)) {
    if (warned.has(tool)) return;
    warned.add(tool);
    warn(
      "The description of read_file no longer holds the line on multimodal content, so it was left as it is.",
    );
    return;
  }
  tool.description = description.replace(MULTIMODAL_LINE, line).replace(PAGING_LINE, "");
}

/**
 * What the model is told of the todo list and the file tools: the seventh layer of the prompt (spec 03 §13).
 * Short, because it is sent with every call: LangChain's own description of
 * `write_todos` alone takes some 2,600 tokens.
 */
export const TOOL_GUIDANCE = `# Todos and files

- \`write_todos\` keeps a list of steps for work that has many, so that the person can follow it. Leave it out for work of a few steps. Mark a step as soon as it is done, and call the tool at most once in a message.
- Look with \`ls\`, \`glob\` or \`grep\` before reading at a guess. Read a long file in parts, by \`offset\` and \`limit\`.
- Read a file before editing it. \`edit_file\` replaces exact text; \`write_file\` writes a whole file.`;

/** The description of `write_todos`. */
export const WRITE_TODOS_DESCRIPTION =
  "Writes the list of steps of your present work; the list you give replaces the former one, so give all steps each " +
  "time. A step is `pending`, `in_progress` (one at a time) or `completed` (only when it is wholly done). For work of " +
  "three steps or more, or when the person asks for a list.";

/** Every promised type of the subpath: the type check judges whether each is there. */
export type { RuntimeNoteKind } from "@archmax-ai/harness/messages";

/** The errors with which a verb is refused before anything is written, by name (spec 04 §15). */
const REFUSALS: ReadonlySet<string> = new Set([
  "UnknownTriggerError",
  "WorkflowDisabledError",
  "WorkflowLoadError",
  "UnsupportedRuntimeContractError",
  "SessionStoreIdError",
  "SessionStoreCapabilityError",
  "SessionNotParkedError",
  "SessionNotAwaitingInputError",
  "SessionNotResumableError",
  "InvalidDecisionTargetError",
  "EmptyMessageError",
  "InvalidTurnFileError",
  "MissingDeliveryTriggerError",
  "InvalidVariableNameError",
  "InvalidSessionPathError",
  "InvalidTitleError",
  // The host's own, of a firing.
  "UnfitFiringError",
]);

/** Whether an error is a refusal: nothing was written, and trying the same again changes nothing. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && REFUSALS.has(error.name);
}

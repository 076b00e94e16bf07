/**
 * Every typed error of the harness, in one place.
 *
 * Each carries `name` equal to its class name, says what was wrong and what to do about it, and keeps the
 * facts a caller would otherwise have to parse out of the message. The two errors the pure `spec` library
 * throws live there; the rest are here.
 */

/** Names a value in a message: JSON for strings, so that blanks and control characters are visible. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

/**
 * A workflow that had to load did not: its `workflow.yaml` is missing or invalid, its `WORKFLOW.md` carries
 * frontmatter, or a delegation target is missing, invalid or without a `manual` trigger (spec 04 §15).
 */
export class WorkflowLoadError extends Error {
  override readonly name = "WorkflowLoadError";
  /** The workflow's slug. */
  readonly workflow: string;
  /** Path of the document within the authoring backend, for example `workflows/desk/workflow.yaml`. */
  readonly workflowPath: string;
  /** What is wrong: the first diagnostic, with its field where it has one. */
  readonly problem: string;
  constructor(workflow: string, workflowPath: string, problem: string, options?: ErrorOptions) {
    super(
      `The workflow ${quoted(workflow)} could not be loaded from ${workflowPath}: ${problem}. ` +
        "Correct the document (archmax validate lists every problem) and assemble again.",
      options,
    );
    this.workflow = workflow;
    this.workflowPath = workflowPath;
    this.problem = problem;
  }
}

/** A new turn was asked of a workflow whose document says `disabled` (spec 03 C-5). Resumes stay possible. */
export class WorkflowDisabledError extends Error {
  override readonly name = "WorkflowDisabledError";
  readonly workflow: string;
  constructor(workflow: string) {
    super(
      `The workflow ${quoted(workflow)} is disabled and starts no new turns. ` +
        "Remove `disabled: true` from its workflow.yaml to use it again; parked sessions can still be resumed.",
    );
    this.workflow = workflow;
  }
}

/** A firing named a trigger id that no state declares (spec 03 C-8). */
export class UnknownTriggerError extends Error {
  override readonly name = "UnknownTriggerError";
  readonly triggerId: string;
  /** The trigger ids the workflow declares. */
  readonly available: readonly string[];
  constructor(triggerId: string, available: readonly string[]) {
    super(
      `No state declares the trigger ${quoted(triggerId)}. Declared: ${
        available.length === 0 ? "none" : available.map(quoted).join(", ")
      }.`,
    );
    this.triggerId = triggerId;
    this.available = available;
  }
}

/** A tool's path declaration is empty, names a built-in tool, or uses an unknown access (spec 04 §10). */
export class ToolPathsError extends Error {
  override readonly name = "ToolPathsError";
  readonly tool: string;
  constructor(tool: string, problem: string) {
    super(`The path declaration of the tool ${quoted(tool)} cannot be used: ${problem}.`);
    this.tool = tool;
  }
}

/** A seeded or delivered variable has a name that is not `^[a-z][a-z0-9_]*$`. */
export class InvalidVariableNameError extends Error {
  override readonly name = "InvalidVariableNameError";
  readonly variable: string;
  /** Where the name came from, for example `variables` or `delivery`. */
  readonly source: string;
  constructor(variable: string, source: string) {
    super(
      `${quoted(variable)} (from ${source}) is not a variable name. ` +
        "A name starts with a lower-case letter and holds lower-case letters, digits and underscores only.",
    );
    this.variable = variable;
    this.source = source;
  }
}

/** A seeded `title` is not one non-empty line of at most 200 characters. Not exported: told by its name. */
export class InvalidTitleError extends Error {
  override readonly name = "InvalidTitleError";
  readonly detail: string;
  readonly source: string;
  constructor(detail: string, source: string) {
    super(`The title given with ${source} cannot be used: ${detail}. Give one line of 1 to 200 characters.`);
    this.detail = detail;
    this.source = source;
  }
}

/** A mount's key collides with a session area, with `workflows/`, or escapes the root (spec 04 §4). */
export class MountCollisionError extends Error {
  override readonly name = "MountCollisionError";
  readonly key: string;
  constructor(key: string, problem: string) {
    super(`The mount ${quoted(key)} cannot be used: ${problem}.`);
    this.key = key;
  }
}

/** A custom `backend` was given without saying where sessions are stored (spec 04 §3). */
export class SessionStoreRequiredError extends Error {
  override readonly name = "SessionStoreRequiredError";
  constructor() {
    super(
      "A custom backend was given without a session store. Pass workspace.sessionStore, made by " +
        "createFilesystemSessionStore, createBackendSessionStore or createMemorySessionStore.",
    );
  }
}

/** The session store cannot do what was asked of it (spec 04 §13). */
export class SessionStoreCapabilityError extends Error {
  override readonly name = "SessionStoreCapabilityError";
  readonly storeKind: string;
  readonly capability: string;
  constructor(storeKind: string, capability: string) {
    super(
      `The ${storeKind} session store has no ${quoted(capability)} capability. ` +
        `Give createBackendSessionStore what it needs for it (deleteSession, for delete), or use another store.`,
    );
    this.storeKind = storeKind;
    this.capability = capability;
  }
}

/** A writable mount is served by the authoring backend: a session could edit its own machine (spec 04 §4). */
export class AuthoringBackendExposedError extends Error {
  override readonly name = "AuthoringBackendExposedError";
  readonly key: string;
  constructor(key: string) {
    super(
      `The mount ${quoted(key)} is writable and served by the authoring backend, so a session could edit the ` +
        "workflow that governs it. Mount it read-only, or serve it from another backend.",
    );
    this.key = key;
  }
}

/** A default still needs a root directory and none can be assumed (spec 04 §3). */
export class WorkspaceRootRequiredError extends Error {
  override readonly name = "WorkspaceRootRequiredError";
  /** The first option whose default needs the root: `mounts`, `sessionStore` or `authoring`. */
  readonly option: string;
  constructor(option: string) {
    super(
      `The default for ${quoted(option)} is built under a root directory, and none was given. ` +
        `Pass rootDir, or pass ${option}.`,
    );
    this.option = option;
  }
}

/** The document asks for a runtime contract this package does not carry out (spec 04 §2.6). */
export class UnsupportedRuntimeContractError extends Error {
  override readonly name = "UnsupportedRuntimeContractError";
  /** `engine@version` as requested. */
  readonly requested: string;
  readonly supported: readonly string[];
  constructor(requested: string, supported: readonly string[]) {
    super(
      `The workflow asks for the runtime ${requested}, which this package does not carry out. ` +
        `Supported: ${supported.join(", ")}.`,
    );
    this.requested = requested;
    this.supported = supported;
  }
}

/** A path climbs above the workspace root (spec 04 §5). Not exported: told by its name. */
export class WorkspacePathEscapeError extends Error {
  override readonly name = "WorkspacePathEscapeError";
  readonly path: string;
  constructor(path: string) {
    super(`The path ${quoted(path)} leaves the workspace. Give a path below its root.`);
    this.path = path;
  }
}

/** A caller's session path is malformed (spec 04 §12). Not exported: told by its name. */
export class InvalidSessionPathError extends Error {
  override readonly name = "InvalidSessionPathError";
  readonly path: string;
  readonly reason: string;
  constructor(path: string, reason: string) {
    super(`The session path ${quoted(path)} cannot be used: ${reason}.`);
    this.path = path;
    this.reason = reason;
  }
}

/** A turn was asked of a session that is mid-turn, or whose status is unknown: a session has one writer. */
export class SessionNotResumableError extends Error {
  override readonly name = "SessionNotResumableError";
  readonly sessionId: string;
  readonly status: string;
  constructor(sessionId: string, status: string | undefined) {
    super(
      `The session ${quoted(sessionId)} cannot take a turn now: its status is ${status ?? "unknown"}. ` +
        "Wait until the running turn has settled, or continue it from its checkpoint.",
    );
    this.sessionId = sessionId;
    this.status = status ?? "unknown";
  }
}

/** A decision or reply was given to a session that nobody holds at a human state. */
export class SessionNotParkedError extends Error {
  override readonly name = "SessionNotParkedError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`The session ${quoted(sessionId)} is not parked for a decision, so there is nothing to answer.`);
    this.sessionId = sessionId;
  }
}

/** A decision names a target that is no outgoing edge of the parked state, or the parked state itself. */
export class InvalidDecisionTargetError extends Error {
  override readonly name = "InvalidDecisionTargetError";
  readonly sessionId: string;
  readonly target: string;
  readonly validTargets: readonly string[];
  constructor(sessionId: string, target: string, validTargets: readonly string[]) {
    super(
      `${quoted(target)} is not a decision open to the session ${quoted(sessionId)}. Valid targets: ${
        validTargets.length === 0 ? "none" : validTargets.map(quoted).join(", ")
      }.`,
    );
    this.sessionId = sessionId;
    this.target = target;
    this.validTargets = validTargets;
  }
}

/** A delivery was made to a session that holds no input park. */
export class SessionNotAwaitingInputError extends Error {
  override readonly name = "SessionNotAwaitingInputError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`The session ${quoted(sessionId)} is not waiting for an event, so nothing can be delivered to it.`);
    this.sessionId = sessionId;
  }
}

/** A delivery carries no trigger id. */
export class MissingDeliveryTriggerError extends Error {
  override readonly name = "MissingDeliveryTriggerError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`The delivery to the session ${quoted(sessionId)} names no trigger. Give trigger: { id }.`);
    this.sessionId = sessionId;
  }
}

/** A turn or a reply carries no text. */
export class EmptyMessageError extends Error {
  override readonly name = "EmptyMessageError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`The message to the session ${quoted(sessionId)} is empty. Give it some text.`);
    this.sessionId = sessionId;
  }
}

/** A file handed to a turn cannot be taken; nothing was written (spec 04 §12). */
export class InvalidTurnFileError extends Error {
  override readonly name = "InvalidTurnFileError";
  readonly sessionId: string;
  readonly variable: string;
  readonly reason: string;
  constructor(sessionId: string, variable: string, fileName: string, reason: string) {
    super(
      `The file ${quoted(fileName)} for the variable ${quoted(variable)} cannot be handed to the session ` +
        `${quoted(sessionId)}: ${reason}.`,
    );
    this.sessionId = sessionId;
    this.variable = variable;
    this.reason = reason;
  }
}

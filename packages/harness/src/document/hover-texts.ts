/** What an editor shows of a place of the workflow language. */
export interface HoverText {
  readonly title?: string;
  readonly description: string;
  /** What the runtime takes where the key is absent; an editor offers it. */
  readonly default?: unknown;
  /** Values worth offering where the schema admits more. */
  readonly examples?: readonly unknown[];
}

const hover = (description: string, more: Omit<HoverText, "description"> = {}): HoverText => ({
  description,
  ...more,
});

/** The keys of the document, by dotted path; `*` stands for a free key, `""` for the whole. 1.1. */
const ROOT: Readonly<Record<string, HoverText>> = {
  "": hover("A workflow: a state machine in whose states an agent, or a person, does the work.", {
    title: "workflow.yaml",
  }),
  title: hover("A label. The workflow is known by the name of its directory, not by this."),
  instructions: hover("Standing guidance for the agent, part of every model call of a session."),
  disabled: hover("true: no new turns start. Parked sessions may still be resumed.", { default: false }),
  runtime: hover("The engine and the contract version the document is written for."),
  "runtime.engine": hover("The engine's name.", { default: "archmax-harness" }),
  "runtime.version": hover("The contract version: 1 or 2.", { default: "1", examples: ["1", "2"] }),
  settings: hover("Standing settings of every session."),
  "settings.model": hover("The id of the model, over the one configured. A state can name another."),
  "settings.timeoutMs": hover("How long one evaluation of a script may take, in milliseconds.", {
    default: 15_000,
  }),
  "settings.memoryLimitBytes": hover("How much memory a script may use, in bytes."),
  "settings.maxResultChars": hover("How long a script's result may be, in characters."),
  "settings.maxPtcCalls": hover("How many tool calls one script may make; null takes the sandbox's bound."),
  "settings.prompt_cache": hover("Whether and for how long the model provider may cache the prompt."),
  "settings.prompt_cache.enabled": hover("false turns the cache off.", { default: true }),
  "settings.prompt_cache.ttl": hover("How long a cached prompt lives.", {
    default: "5m",
    examples: ["5m", "1h"],
  }),
  tests: hover("How the workflow's cases run."),
  "tests.maxConcurrency": hover("How many cases run at once. Only 1 is supported.", { default: 1 }),
  "tests.caseTimeoutMs": hover("How long one case may take, in milliseconds.", { default: 120_000 }),
  "tests.judge": hover("The model that grades cases; the environment's where absent."),
  "tests.judge.model": hover("The id of the grading model."),
  "tests.judge.modelOptions": hover("Options of the grading model."),
  "tests.judge.modelOptions.temperature": hover("The sampling temperature, from 0."),
  "tests.judge.modelOptions.maxTokens": hover("The most tokens of one answer."),
  tools: hover("The tools every state opens and denies."),
  "tools.allow_always": hover("Tools granted in every state."),
  "tools.forbid_always": hover("Tools denied in every state. A denial wins over every grant."),
  skills: hover("The skills every state enables and denies."),
  "skills.allow_always": hover("Skills enabled in every state, by slug."),
  "skills.forbid_always": hover("Skills denied in every state, by slug. A denial wins over every grant."),
  mounts: hover("The mounts every state opens and denies."),
  "mounts.allow_always": hover("Mounts reachable in every state."),
  "mounts.forbid_always": hover("Mounts reachable in no state, by name. A denial wins over every grant."),
  extensions: hover("What the host adds to the language."),
  "extensions.hooks": hover("The hook kinds of the host's that states may use."),
  metadata: hover("Data of the host's, kept as written. Neither the runtime nor the model reads it."),
  states: hover("The states by slug. At least one declares a trigger."),
};

const STATE: Readonly<Record<string, HoverText>> = {
  state: hover("A state. Without transitions it is terminal; with triggers it is a start state.", {
    title: "State",
  }),
  "state.type": hover("agent: the agent works and picks the edge. human: a person picks it.", {
    default: "agent",
  }),
  "state.title": hover("A label; nothing routes by it and no model sees it."),
  "state.instructions": hover("What to do here, sent to the model as written while the state is active."),
  "state.summary": hover("What the state is for, for people; shown to no model."),
  "state.evidence": hover("Workspace paths shown beside a human decision."),
  "state.approvers": hover("Who decides, shown beside a human decision."),
  "state.triggers": hover("The triggers that open a session here, by id. An id belongs to one state."),
  "state.before": hover("Checks on entering the state: one hook, or a list of them."),
  "state.after": hover("Checks on leaving the state: one hook, or a list of them."),
  "state.budget": hover("Bounds of one visit. What goes over one fails the turn."),
  "state.budget.maxTurns": hover("The most model calls of one visit."),
  "state.budget.timeoutMs": hover("How long one model call may take, in milliseconds."),
  "state.budget.maxParks": hover("How often archmax_wait may park the session here."),
  "state.model": hover("The id of the model in this state."),
  "state.on_error": hover("The state a failed turn goes to."),
  "state.tools": hover("The tools this state opens and denies, besides those of every state."),
  "state.tools.allow": hover("Tools granted in this state. Naming an essential tool narrows it here."),
  "state.tools.forbid": hover("Tools denied in this state. A denial wins over every grant."),
  "state.skills": hover("The skills this state enables and denies, besides those of every state."),
  "state.skills.allow": hover("Skills enabled in this state, by slug."),
  "state.skills.forbid": hover("Skills denied in this state, by slug. A denial wins over every grant."),
  "state.mounts": hover("The mounts this state opens and denies, besides those of every state."),
  "state.mounts.allow": hover("Mounts reachable in this state."),
  "state.mounts.forbid": hover(
    "Mounts not reachable in this state, by name. A denial wins over every grant.",
  ),
  "state.requires": hover("Variables that must be set before the state is left."),
  "state.metadata": hover("Data of the host's, kept as written. Neither the runtime nor the model reads it."),
  "state.transitions": hover("The edges out of the state. None: the state is terminal."),
  transition: hover("An edge to another state.", { title: "Transition" }),
  "transition.to": hover("The slug of the state it leads to."),
  "transition.description": hover("When to take the edge: all the agent learns about it."),
  "transition.type": hover("What the edge means to the person who picks it; none is the same as absent.", {
    default: "none",
  }),
};

const PARTS: Readonly<Record<string, HoverText>> = {
  hooks: hover("One hook, or a list of hooks in the order they run.", { title: "Hooks" }),
  hook: hover("A check: a script, a rubric, or one key of a kind the host knows.", { title: "Hook" }),
  "hook.script": hover("A .js or .mjs file below the workflow's hooks/."),
  "hook.max_iterations": hover("How often the agent may revise after this check, in an after hook alone.", {
    default: 0,
  }),
  "hook.rubric": hover("A check graded by a model."),
  "hook.*": hover("A hook of a kind the host knows, with the text it is given."),
  rubric: hover("What a model grades the work by.", { title: "Rubric" }),
  "rubric.instructions": hover("What the grader accepts."),
  "rubric.max_iterations": hover("How often the agent may revise after the grading.", { default: 0 }),
  "rubric.model": hover("The id of the grading model."),
  "rubric.metadata": hover("Data of the host's, kept as written."),
  toolEntry: hover("A tool's name, or the name with guards on the arguments of a call.", {
    title: "Tool entry",
  }),
  "toolEntry.tool": hover("The tool's name. In a forbid list * means every tool."),
  "toolEntry.args": hover(
    "Globs by argument; a dotted name reads a nested argument. With it, paths is ignored.",
  ),
  "toolEntry.args.*": hover("A glob, or a list of them: one has to match the argument."),
  "toolEntry.paths": hover("A glob, or a list of them, for every path argument the tool declares."),
  "toolEntry.connection": hover("The connection the tool comes from. Kept, not read."),
  "toolEntry.source": hover("The source the tool comes from. Kept, not read."),
  mountGrant: hover("A mount's name, or the name with an access.", { title: "Mount grant" }),
  "mountGrant.mount": hover("The mount's name."),
  "mountGrant.access": hover("read narrows the grant to reading; absent: as far as the mount itself goes."),
  trigger: hover("What opens a session in this state. Without a value the id alone is declared.", {
    title: "Trigger",
  }),
  "trigger.session": hover("A path into the firing's variables; its value is the session's id."),
  "trigger.message": hover("A path into the firing's variables to its message; false: firings carry none."),
  "trigger.connection": hover("The source of events the host listens to."),
  "trigger.description": hover("What the trigger is for, for a caller; the session's model never sees it."),
  "trigger.requires": hover("The variables a firing has to bring."),
  "trigger.returns": hover("The variables a session opened by it must have set when it finishes."),
  "trigger.*": hover("A key of the host's, kept as written."),
  signatureEntry: hover("A variable's name, or the name with a type and a description.", {
    title: "Signature entry",
  }),
  "signatureEntry.name": hover("The variable's name: lower-case letters, digits and underscores."),
  "signatureEntry.type": hover("What the value has to be; without it anything goes. Nothing is converted."),
  "signatureEntry.description": hover("What the value is, for a caller."),
};

/**
 * What editors show of each key of a workflow document, by dotted path. The path of a key in a named part of the
 * language starts with the part's name (`state.title`); `*` stands for a free key.
 *
 * The workflow language, 1 the document.
 */
export const HOVER_TEXTS: ReadonlyMap<string, HoverText> = new Map(
  Object.entries({ ...ROOT, ...STATE, ...PARTS }),
);

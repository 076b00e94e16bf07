/**
 * Which chat model serves which state and rubric of one assembly, and which one grades cases
 * (spec 04 §2.3, 05 §C3, 06 §A).
 */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { MachineSpec } from "../spec/schema.ts";
import { createChatModel } from "./chat-model.ts";
import { type AgentEnv, readAgentEnv } from "./environment.ts";

/** What a model is wanted for: the agent's turns, the grader of cases, or a grading rubric. */
export type ModelRole = "agent" | "judge" | "rubric";

/**
 * Builds a chat model for a role.
 *
 * @param env gives the environment's settings when called; a factory with its own credentials never calls it.
 * @param requested the model id a workflow, a state or a rubric declared. A factory may ignore it.
 */
export type ModelFactory = (role: ModelRole, env: () => AgentEnv, requested?: string) => BaseChatModel;

/** The models of one composition, each built once. */
export interface ModelSet {
  /** The model of a state's turns; without a state, the agent's own. */
  forState(state?: string): BaseChatModel;
  /** The id declared for a state (its own, else `settings.model`) that is in force, or `undefined`. */
  configuredId(state: string): string | undefined;
  /** The model of a rubric that declares `id`, or of one that declares none, built when first asked for. */
  rubric(id?: string): BaseChatModel;
  /** The set of a sub-workflow: the same models and factory, its own declared ids, none inherited. */
  forWorkflow(document: ModelDocument, warn: (message: string) => void): ModelSet;
}

/** The part of a compiled workflow that declares models. */
export interface ModelDocument {
  readonly spec: MachineSpec;
}

/** How a set is built; see {@link createModelSet}. */
export interface ModelSetOptions {
  /** An instance for every turn; it outranks the factory and every declared id. */
  model?: BaseChatModel | undefined;
  modelFactory?: ModelFactory | undefined;
  /** Left out for a plain agent, which declares no ids. */
  machine?: ModelDocument | undefined;
  /** Told, once, which declared ids an explicit `model` leaves unused. */
  warn: (message: string) => void;
  /** Reads the environment's settings; called at most once per assembly, and only when they are needed. */
  readEnv?: () => AgentEnv;
}

/**
 * Builds the models of an assembly: the agent's, then one per distinct declared id in the order of the document.
 * Without `model` and `modelFactory` every model is the environment's, a declared id replacing the model id.
 *
 * @throws Error naming the `ARCHMAX_*` variable, when a model needs the environment and it is missing or
 * malformed; and whatever the factory throws.
 */
export function createModelSet(options: ModelSetOptions): ModelSet {
  const source = modelSource(options);
  source("agent");
  return composed(source, options.model !== undefined, options.machine, options.warn);
}

/** The settings a workflow lays over the environment's for its grader of cases. */
export type JudgeSettings = Partial<Pick<AgentEnv, "model" | "temperature" | "maxTokens">>;

/**
 * Builds the grader of cases: the factory's, else the environment's model under the laid-over settings.
 *
 * @param options.settings laid over the environment's, whichever of the two builds the model.
 * @throws Error naming the `ARCHMAX_*` variable, when the environment is asked for and lacks it; and whatever the
 * factory throws.
 */
export function createJudgeModel(options: {
  modelFactory?: ModelFactory | undefined;
  settings: JudgeSettings;
  readEnv?: () => AgentEnv;
}): BaseChatModel {
  const { modelFactory = environmentModel, settings, readEnv = readAgentEnv } = options;
  return modelFactory(
    "judge",
    once(() => ({ ...readEnv(), ...settings })),
  );
}

/** The default factory: the environment's endpoint and key, a requested id in place of its model. */
const environmentModel: ModelFactory = (_role, env, requested) =>
  createChatModel(requested === undefined ? env() : { ...env(), model: requested });

/** Gives the model of a role and a requested id: the same one for the same pair. */
type ModelSource = (role: ModelRole, requested?: string) => BaseChatModel;

function modelSource({ model, modelFactory, readEnv = readAgentEnv }: ModelSetOptions): ModelSource {
  const env = once(readEnv);
  const factory = modelFactory ?? environmentModel;
  const built = new Map<string, BaseChatModel>();
  return (role, requested) => {
    if (model !== undefined && role === "agent") return model;
    // Without a factory the one instance serves rubrics too, unless one asks for another model by its id.
    if (model !== undefined && modelFactory === undefined && requested === undefined) return model;
    const key = JSON.stringify([role, requested ?? null]);
    const known = built.get(key);
    if (known !== undefined) return known;
    const fresh = requested === undefined ? factory(role, env) : factory(role, env, requested);
    built.set(key, fresh);
    return fresh;
  };
}

function composed(
  source: ModelSource,
  explicit: boolean,
  document: ModelDocument | undefined,
  warn: (message: string) => void,
): ModelSet {
  const declared = declaredModels(document?.spec);
  if (explicit && declared.length > 0) {
    const positions = declared.map(({ position, id }) => `${position} (${id})`).join(", ");
    warn(`An explicit model serves every state, so these declared models are ignored: ${positions}.`);
  }
  const ids = new Map(explicit ? [] : declared.map(({ state, id }) => [state, id]));
  for (const id of ids.values()) source("agent", id);
  const configuredId = (state?: string) =>
    (state === undefined ? undefined : ids.get(state)) ?? ids.get(undefined);
  return {
    forState: (state) => source("agent", configuredId(state)),
    configuredId,
    rubric: (id) => source("rubric", id),
    forWorkflow: (child, warnChild) => composed(source, explicit, child, warnChild),
  };
}

/** A declared model id; `state` is `undefined` for the workflow's own. */
interface DeclaredModel {
  state: string | undefined;
  position: string;
  id: string;
}

function declaredModels(spec: MachineSpec | undefined): DeclaredModel[] {
  if (spec === undefined) return [];
  const declared: DeclaredModel[] = [];
  const own = spec.settings?.model;
  if (own !== undefined) declared.push({ state: undefined, position: "settings.model", id: own });
  for (const [state, { model }] of Object.entries(spec.states)) {
    if (model !== undefined) declared.push({ state, position: `states.${state}.model`, id: model });
  }
  return declared;
}

function once<T>(read: () => T): () => T {
  let held: { value: T } | undefined;
  return () => {
    held ??= { value: read() };
    return held.value;
  };
}

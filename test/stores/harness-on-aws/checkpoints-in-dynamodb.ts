import { randomUUID } from "node:crypto";
import { startDatabase } from "../../../packages/checkpoint-dynamodb/src/testing-fixtures/database.ts";
import type { CreateAgentParams } from "../../../packages/harness/src/create-agent-params.ts";

const database = await startDatabase();

/** Agents over one session store share its checkpoints, as they do where the store itself holds them. */
const prefixes = new WeakMap<object, string>();

function prefixOf({ workspace, backend }: CreateAgentParams): string {
  const place = workspace?.sessionStore ?? backend;
  if (place === undefined) return `disk:${workspace?.rootDir}`;
  const prefix = prefixes.get(place) ?? randomUUID();
  prefixes.set(place, prefix);
  return prefix;
}

/** The parameters, with a checkpointer of its own on DynamoDB where they name none. */
export function withCheckpointer(params: CreateAgentParams): CreateAgentParams {
  return { checkpointer: database.newSaver({ keyPrefix: prefixOf(params) }), ...params };
}

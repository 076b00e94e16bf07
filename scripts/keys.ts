/**
 * `npm run keys`: the API keys of a deployed stage, in its host table.
 *
 *     npm run keys -- create --tenant acme --scopes sessions:send,sessions:read --label ci [--expires 2027-01-01T00:00:00Z]
 *     npm run keys -- list [--tenant acme]
 *     npm run keys -- revoke <id>
 *
 * The table is `--table`, else `ARCHMAX_HOST_TABLE`, else that of the stage that `npx sst shell --stage <stage> --` is
 * put before it for; account and region are the AWS SDK's.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { SCOPES, type Scope } from "@archmax-ai/host";
import { createDynamoApiKeys, type DynamoApiKeys, type ListedApiKey } from "@archmax-ai/host-aws";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { deployedStage } from "./deployed-stage.ts";

const USAGE = `Usage:
  npm run keys -- create --tenant <id> --scopes <scope,...|all> --label <name> [--expires <ISO 8601, UTC>]
  npm run keys -- list [--tenant <id>]
  npm run keys -- revoke <id>
Scopes: ${SCOPES.join(", ")}
The table is --table, ARCHMAX_HOST_TABLE, or that of the stage of sst shell.`;

/** The command was not given as it must be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the command needs of the world. */
export interface KeysWorld {
  /** The keys of a table. */
  keysIn(tableName: string): DynamoApiKeys;
  env: Readonly<Record<string, string | undefined>>;
  /** What was asked for, line by line: of a new key, the key alone. */
  out(line: string): void;
  /** What is told beside it. */
  note(line: string): void;
}

/**
 * Carries a command out.
 *
 * @throws UsageError; what the keys throw
 */
export async function keysCommand(args: string[], world: KeysWorld): Promise<void> {
  const { values, positionals } = parsed(args);
  const tableName = values.table ?? world.env.ARCHMAX_HOST_TABLE ?? deployedStage(world.env)?.hostTable;
  if (!tableName) throw new UsageError("Name the table: --table, ARCHMAX_HOST_TABLE, or within sst shell.");
  const keys = world.keysIn(tableName);
  const [command, ...rest] = positionals;
  if (command === "create" && rest.length === 0) {
    const { tenant, label, scopes, expires } = values;
    if (tenant === undefined || label === undefined || scopes === undefined) {
      throw new UsageError("A new key needs --tenant, --scopes and --label.");
    }
    const expiresAt = expires === undefined ? {} : { expiresAt: expires };
    const created = await keys.create({ tenant, label, scopes: scopesOf(scopes), ...expiresAt });
    world.note(shown(created));
    world.note("The key is told this once and kept nowhere:");
    world.out(created.key);
  } else if (command === "list" && rest.length === 0) {
    const listed = await keys.list(values.tenant);
    for (const key of listed) world.out(shown(key));
    if (listed.length === 0) world.note("There are no keys.");
  } else if (command === "revoke" && rest.length === 1) {
    const [id = ""] = rest;
    if (!(await keys.revoke(id))) throw new UsageError(`There is no key ${id}; list shows what there is.`);
    world.note(`Revoked ${id}. A function that has just used it may take it for a minute more.`);
  } else throw new UsageError("Say create, list or revoke.");
}

function parsed(args: string[]) {
  const string = { type: "string" } as const;
  const options = { tenant: string, scopes: string, label: string, expires: string, table: string };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function scopesOf(text: string): Scope[] {
  if (text === "all") return [...SCOPES];
  return text.split(",").map((name) => {
    const scope = SCOPES.find((each) => each === name.trim());
    if (scope === undefined) throw new UsageError(`${JSON.stringify(name)} is no scope.`);
    return scope;
  });
}

function shown({ id, tenant, label, scopes, createdAt, expiresAt }: ListedApiKey): string {
  const until = expiresAt === undefined ? "until revoked" : `until ${expiresAt}`;
  return `${id}  ${tenant}  ${JSON.stringify(label)}  ${scopes.join(",")}  from ${createdAt} ${until}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await keysCommand(process.argv.slice(2), {
      keysIn: (tableName) => createDynamoApiKeys({ client: new DynamoDBClient(), tableName }),
      env: process.env,
      out: (line) => console.log(line),
      note: (line) => console.error(line),
    });
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n${USAGE}`);
    else console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** What a team says about its deployment: the type of `deployment.ts`, and what is wrong with one. */

/** How callers prove who they are (docs/http-api.md). `none` must be spelled out, and no production stage takes it. */
export type Auth =
  | { kind: "apiKey" }
  | {
      kind: "jwt";
      issuer: string;
      audience: string | string[];
      jwksUrl: string;
      tenantClaim: string;
      scopeClaim: string;
    }
  | { kind: "iam"; tenantHeader: string; scopes?: string[] }
  | { kind: "none"; tenant: string; scopes?: string[] };

/**
 * Where the workflow validator runs: in the CloudFront distribution's own edge function, as a Cloudflare Worker with
 * an address of its own (`domain`: a host name in a zone of the account; none: workers.dev), or nowhere.
 */
export type Edge = { kind: "lambda-edge" } | { kind: "cloudflare"; domain?: string } | { kind: "none" };

/** What may differ from stage to stage. Days are whole days. */
export interface StageSettings {
  /** How long a finished session stays, in days. Left out: for ever. */
  finishedSessionsDays?: number;
  /** How long logs stay, in days: one of CloudWatch's own steps. */
  logDays: 1 | 3 | 5 | 7 | 14 | 30 | 60 | 90 | 120 | 180 | 365 | 400 | 545 | 731 | 1096 | 1827 | 3653;
  /** How long an overwritten or deleted file can be brought back, in days. */
  earlierVersionsDays: number;
  /** How far back a table can be restored, in days, 1 to 35. */
  restoreDays: number;
  /** A host name for the HTTP interface whose DNS zone is in this account's Route 53. Left out: CloudFront's own. */
  domain?: string;
  /** Where alarms go. Left out: the alarms exist and tell nobody. */
  alarmEmail?: string;
  /** What the account may cost in a month, in US dollars, before `alarmEmail` hears of it. Left out: no budget. */
  monthlyBudgetUsd?: number;
}

/** A deployment: one app, any number of stages. */
export interface Deployment {
  /** The first part of every resource's name: lower-case letters, digits and hyphens. */
  app: string;
  /** The AWS region of everything but the edge. */
  region: string;
  /** The stages that hold what must not be lost: kept when removed, protected from removal, no `none` for auth. */
  productionStages: string[];
  /** Settings of production stages, and of every other stage. */
  production: StageSettings;
  others: StageSettings;
  auth: Auth;
  edge: Edge;
  /** The model every agent uses. Its key is the secret `ModelApiKey`. */
  model: { baseUrl: string; name: string };
  /** The tenant whose sessions bus events and schedules open. */
  eventTenant: string;
  /** Origins whose pages may call the HTTP interface from a browser. Empty: none. */
  corsOrigins: string[];
  /** How many queued commands run at once, 2 to 1000. */
  workerConcurrency: number;
}

/** What makes a deployment impossible. */
export class DeploymentError extends Error {
  override readonly name = "DeploymentError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`infra/deployment.ts cannot be deployed:\n${problems.map((each) => `- ${each}`).join("\n")}`);
    this.problems = problems;
  }
}

/** No production stage may be called anything else in `auth: none`'s eyes (spec 07 §7). */
const ALWAYS_PRODUCTION = ["production", "prod"];
const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** Physical names hold app, stage and a component's name within 64 characters. */
const APP = /^[a-z][a-z0-9-]{0,19}$/;
const STAGE = /^[a-z][a-z0-9-]{0,19}$/;

/** Whether a stage holds what must not be lost. */
export function isProduction(deployment: Deployment, stage: string): boolean {
  return ALWAYS_PRODUCTION.includes(stage) || deployment.productionStages.includes(stage);
}

/**
 * Refuses what cannot or must not be deployed.
 *
 * @throws DeploymentError with everything that is wrong
 */
export function checkDeployment(deployment: Deployment, stage: string): void {
  const { app, auth, edge, eventTenant, corsOrigins, workerConcurrency, model } = deployment;
  const problems: string[] = [];
  const must = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  must(APP.test(app), `app ${JSON.stringify(app)} must be 1 to 20 of a-z, 0-9 and -, a letter first.`);
  must(
    STAGE.test(stage),
    `The stage ${JSON.stringify(stage)} must be 1 to 20 of a-z, 0-9 and -, a letter first.`,
  );
  must(
    auth.kind !== "none" || !isProduction(deployment, stage),
    `auth is "none", which lets everybody in, and the stage ${JSON.stringify(stage)} is a production stage. ` +
      'Choose "apiKey", "jwt" or "iam".',
  );
  must(
    auth.kind !== "none" || TENANT.test(auth.tenant),
    "auth.tenant must be a tenant id: a-z, 0-9 and -, at most 63 characters.",
  );
  must(
    auth.kind !== "iam" || edge.kind !== "lambda-edge",
    'auth is "iam": the functions are called at their own addresses, so there is no CloudFront distribution for ' +
      'the validator. Choose the edge "cloudflare" or "none".',
  );
  must(
    auth.kind !== "jwt" || auth.jwksUrl.startsWith("https://"),
    "auth.jwksUrl must be https, so that nobody on the way can put keys into it.",
  );
  must(TENANT.test(eventTenant), "eventTenant must be a tenant id: a-z, 0-9 and -, at most 63 characters.");
  for (const origin of corsOrigins) {
    must(
      isOrigin(origin),
      `corsOrigins: ${JSON.stringify(origin)} is no origin such as https://app.example.com.`,
    );
  }
  must(
    Number.isInteger(workerConcurrency) && workerConcurrency >= 2 && workerConcurrency <= 1000,
    "workerConcurrency must be a whole number from 2 to 1000.",
  );
  must(isHttps(model.baseUrl), "model.baseUrl must be an https address.");
  must(model.name !== "", "model.name must name a model.");
  problems.push(...stageProblems(deployment, stage));
  if (problems.length > 0) throw new DeploymentError(problems);
}

function stageProblems(deployment: Deployment, stage: string): string[] {
  const where = isProduction(deployment, stage) ? "production" : "others";
  const settings = deployment[where];
  const wholeDays = (value: number | undefined, least: number, most: number) =>
    value === undefined || (Number.isInteger(value) && value >= least && value <= most);
  const problems: string[] = [];
  if (!wholeDays(settings.restoreDays, 1, 35))
    problems.push(`${where}.restoreDays must be 1 to 35 whole days.`);
  if (!wholeDays(settings.earlierVersionsDays, 1, 3650))
    problems.push(`${where}.earlierVersionsDays must be 1 to 3650 whole days.`);
  if (!wholeDays(settings.finishedSessionsDays, 1, 36_500))
    problems.push(`${where}.finishedSessionsDays must be whole days, at least 1.`);
  if (settings.monthlyBudgetUsd !== undefined && settings.alarmEmail === undefined)
    problems.push(`${where}.monthlyBudgetUsd needs ${where}.alarmEmail: somebody must hear of it.`);
  if (settings.domain !== undefined && deployment.auth.kind === "iam")
    problems.push(`${where}.domain: with auth "iam" the functions are called at their own addresses.`);
  return problems;
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text !== "null";
}

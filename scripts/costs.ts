/**
 * `npm run costs`: what a deployed stage costs, idle and per 1 000 sessions, as docs/deploy.md has it.
 *
 * The requests of a session are those of the example, counted between the deployed functions and the services: a turn
 * that reads, compares and asks a person, the person's decision, and a timed resume that ends it.
 */
import { pathToFileURL } from "node:url";
import { LIST_PRICES } from "./list-prices.ts";

/** One line of a bill. */
export interface CostLine {
  what: string;
  how: string;
  dollars: number;
}

const MONTH_SECONDS = 30 * 86_400;

/** What a stage does in a month in which nobody calls it. */
const IDLE = {
  sweeps: MONTH_SECONDS / 300,
  sweepSeconds: 0.3,
  sweepGigabytes: 0.5,
  /** The index of owed attention is read in eight partitions. */
  readsPerSweep: 8,
  /** Lambda asks an idle queue with five waiting requests of up to 20 s. */
  polls: (MONTH_SECONDS / 20) * 5,
  /** Five alarms on one metric each, one on the two metrics of ten functions. */
  alarmMetrics: 5 + 20,
};

/** What one session of the example asks for, in all its three turns. */
const SESSION = {
  turns: 3,
  /** Most of a turn is the model's time. */
  secondsPerTurn: 20,
  gigabytes: 1.769 / 1.024,
  /** Counted by `npm run bench:host`, on dynalite; a bus bills each event of a request. */
  writeUnits: 383,
  readUnits: 187,
  puts: 1,
  gets: 1,
  queueRequests: 2,
  events: 7,
  schedules: 1,
  httpRequests: 4,
  edgeSeconds: 0.01,
  logKilobytes: 20,
};

/** The bill of an idle month. */
export function idleMonth(): CostLine[] {
  const { lambda, dynamoDb, sqs, eventBridge, cloudWatch } = LIST_PRICES;
  const { sweeps, sweepSeconds, sweepGigabytes, readsPerSweep, polls, alarmMetrics } = IDLE;
  return [
    {
      what: "alarms",
      how: `${alarmMetrics} metrics watched`,
      dollars: alarmMetrics * cloudWatch.alarmMetricMonth,
    },
    { what: "queue", how: `${polls} waiting requests`, dollars: polls * sqs.fifoRequest },
    {
      what: "sweep",
      how: `${sweeps} runs of ${sweepSeconds} s`,
      dollars:
        sweeps *
        (sweepSeconds * sweepGigabytes * lambda.gigabyteSecondArm +
          lambda.request +
          eventBridge.scheduled +
          readsPerSweep * dynamoDb.readUnit),
    },
  ];
}

/** The bill of 1 000 sessions of the example, without the model's. */
export function thousandSessions(): CostLine[] {
  const { lambda, lambdaAtEdge, dynamoDb, s3, sqs, eventBridge, cloudFront, cloudWatch, xRay } = LIST_PRICES;
  const s = SESSION;
  const each = (dollars: number) => 1_000 * dollars;
  return [
    {
      what: "functions",
      how: `${s.turns} turns of ${s.secondsPerTurn} s each`,
      dollars: each(
        s.turns * (s.secondsPerTurn * s.gigabytes * lambda.gigabyteSecondArm) +
          (s.turns + s.httpRequests) * lambda.request,
      ),
    },
    {
      what: "tables",
      how: `${s.writeUnits} write and ${s.readUnits} read units each`,
      dollars: each(s.writeUnits * dynamoDb.writeUnit + s.readUnits * dynamoDb.readUnit),
    },
    {
      what: "traces",
      how: `${s.turns + s.httpRequests} each`,
      dollars: each((s.turns + s.httpRequests) * xRay.trace),
    },
    {
      what: "logs",
      how: `${s.logKilobytes} KB each`,
      dollars: each((s.logKilobytes / 1e6) * cloudWatch.logGigabyte),
    },
    {
      what: "edge",
      how: `${s.httpRequests} requests each`,
      dollars: each(
        s.httpRequests *
          (cloudFront.request +
            cloudFront.functionCall +
            2 * cloudFront.storeRead +
            lambdaAtEdge.request +
            s.edgeSeconds * 0.25 * lambdaAtEdge.gigabyteSecond),
      ),
    },
    {
      what: "files, queue, bus, schedules",
      how: `${s.puts + s.gets + s.queueRequests + s.events + s.schedules} requests each`,
      dollars: each(
        s.puts * s3.put +
          s.gets * s3.get +
          s.queueRequests * sqs.fifoRequest +
          s.events * eventBridge.event +
          s.schedules * eventBridge.scheduled,
      ),
    },
  ];
}

/** A bill as a table of Markdown, its sum last. */
export function costTable(lines: readonly CostLine[]): string {
  const sum = lines.reduce((total, { dollars }) => total + dollars, 0);
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["what", "how much", "US$"]),
    "| --- | --- | ---: |",
    ...lines.map(({ what, how, dollars }) => row([what, how, dollars.toFixed(2)])),
    row(["**together**", "", `**${sum.toFixed(2)}**`]),
  ].join("\n");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(`List prices of ${LIST_PRICES.region}, ${LIST_PRICES.asOf}\n`);
  console.log(`An idle month\n\n${costTable(idleMonth())}\n`);
  console.log(`1 000 sessions of the example, without the model\n\n${costTable(thousandSessions())}`);
}

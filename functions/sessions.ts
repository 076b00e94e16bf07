/** The session handles under `/workflows/{wf}/sessions` and `/workflows/{wf}/specs`. Loads no model runtime. */
import { createSessionsApp } from "@archmax-ai/host";
import { createS3FileLinks, createSqsTurnQueue } from "@archmax-ai/host-aws";
import { streamHandle } from "hono/aws-lambda";
import { dynamoClient } from "./wiring/clients/dynamo.ts";
import { s3Client } from "./wiring/clients/s3.ts";
import { QUEUE, queueOptions } from "./wiring/command-queue.ts";
import { readConfiguration } from "./wiring/configuration.ts";
import { createFrontPorts, FRONT } from "./wiring/front-ports.ts";
import { createLogger, logged } from "./wiring/logger.ts";
import { createSessionPorts, SESSIONS } from "./wiring/session-ports.ts";

const configuration = readConfiguration(process.env, [...FRONT, ...SESSIONS, ...QUEUE, "s3PathStyle"]);
const { bucket, s3PathStyle } = configuration;
const dynamo = dynamoClient();
const s3 = s3Client(s3PathStyle);
const queue = createSqsTurnQueue(queueOptions(configuration, s3));

const logger = createLogger();
const app = createSessionsApp({
  ...createFrontPorts(configuration, dynamo, logger),
  ...createSessionPorts(configuration, { dynamo, s3, queue }),
  fileLinks: createS3FileLinks({ client: s3, bucket }),
});

export const handler = streamHandle(logged(app, logger));

import { SQSClient } from "@aws-sdk/client-sqs";
import { settings } from "./settings.ts";

export const sqsClient = (): SQSClient => new SQSClient(settings());

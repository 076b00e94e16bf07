import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { settings } from "./settings.ts";

export const dynamoClient = (): DynamoDBClient => new DynamoDBClient(settings());

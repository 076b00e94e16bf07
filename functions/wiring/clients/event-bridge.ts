import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { settings } from "./settings.ts";

export const eventBridgeClient = (): EventBridgeClient => new EventBridgeClient(settings());

import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { settings } from "./settings.ts";

export const schedulerClient = (): SchedulerClient => new SchedulerClient(settings());

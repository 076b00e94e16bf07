/** `@archmax-ai/host-aws/observability`: logs and metrics by Powertools. */
export { createLambdaLogger, type InvocationContext, type LambdaLogger } from "./logger.ts";
export { createTurnMetrics, METRICS_NAMESPACE, type MetricsOptions } from "./metrics.ts";

/** How every client of AWS's services behaves. A function makes each it needs once, when its module is loaded. */

/** How long a connection may take to open, in ms. */
const CONNECTED_WITHIN_MS = 2_000;
/** How long a service may take to answer, in ms: DynamoDB takes a few, SQS and the others tens. */
const ANSWERED_WITHIN_MS = 5_000;

const CONNECTIONS = { keepAlive: true, maxSockets: 64 };

/** Retries that slow down while a service asks for it; connections that outlive a request; an end to every wait. */
export function settings(answeredWithinMs = ANSWERED_WITHIN_MS) {
  return {
    retryMode: "adaptive",
    maxAttempts: 8,
    requestHandler: {
      connectionTimeout: CONNECTED_WITHIN_MS,
      requestTimeout: answeredWithinMs,
      throwOnRequestTimeout: true,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
  } as const;
}

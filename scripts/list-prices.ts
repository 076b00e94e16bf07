/**
 * AWS's list prices in US dollars, for every figure this project gives (docs/deploy.md, `npm run costs`, `npm run
 * bench:host`); no free tier, no savings. eu-central-1 differs by some percent.
 *
 * Source: the services' pricing pages on aws.amazon.com, region us-east-1, of June 2025. They are not read again by
 * anything here: compare before you count on one, and change it in this file.
 */
export const LIST_PRICES = {
  asOf: "2025-06",
  region: "us-east-1",
  lambda: { gigabyteSecondArm: 0.0000133334, request: 0.2e-6 },
  lambdaAtEdge: { gigabyteSecond: 0.00005001, request: 0.6e-6 },
  dynamoDb: {
    writeUnit: 0.625e-6,
    readUnit: 0.125e-6,
    storedGigabyteMonth: 0.25,
    restorableGigabyteMonth: 0.2,
  },
  s3: { put: 5e-6, get: 0.4e-6, storedGigabyteMonth: 0.023 },
  sqs: { fifoRequest: 0.5e-6, standardRequest: 0.4e-6 },
  eventBridge: { event: 1e-6, scheduled: 1e-6 },
  cloudFront: { request: 1e-6, functionCall: 0.1e-6, storeRead: 0.03e-6, gigabyteOut: 0.085 },
  cloudWatch: { logGigabyte: 0.5, alarmMetricMonth: 0.1, metricMonth: 0.3 },
  xRay: { trace: 5e-6 },
} as const;

/// <reference path="./.sst/platform/config.d.ts" />

/** What is deployed, from bottom to top. docs/deploy.md leads through it; infra/deployment.ts is what a team edits. */
export default $config({
  async app({ stage }) {
    const { deployment } = await import("./infra/deployment.ts");
    const { describeApp } = await import("./infra/app.ts");
    return describeApp(deployment, stage);
  },
  async run() {
    const { deployment } = await import("./infra/deployment.ts");
    const { createBus, createEventRules } = await import("./infra/bus.ts");
    const { createEdgeFunction, createValidatorWorker } = await import("./infra/edge.ts");
    const { addresses, createFunctions } = await import("./infra/functions.ts");
    const { createMonitoring } = await import("./infra/monitoring.ts");
    const { linkOperations } = await import("./infra/operations.ts");
    const { consumeCommands, createQueues } = await import("./infra/queue.ts");
    const { createRecurringSchedules } = await import("./infra/recurring.ts");
    const { createResumeScheduling } = await import("./infra/schedules.ts");
    const { createRouter } = await import("./infra/router.ts");
    const { createStorage } = await import("./infra/storage.ts");
    const { stagePolicy } = await import("./infra/stage.ts");
    const { readFiredTriggers } = await import("./infra/workflows.ts");

    const policy = stagePolicy(deployment, $app.stage);
    const triggers = readFiredTriggers($cli.paths.root);

    const storage = createStorage(deployment, policy);
    const queues = createQueues();
    const bus = createBus();
    const resumes = createResumeScheduling(queues);
    const modelApiKey = new sst.Secret("ModelApiKey");

    // With IAM, callers sign for the functions' own addresses, which a distribution in front would spoil.
    const router =
      deployment.auth.kind === "iam"
        ? undefined
        : createRouter(policy, createEdgeFunction(deployment, policy), storage);
    const validator =
      deployment.edge.kind === "cloudflare" ? createValidatorWorker(deployment.edge) : undefined;

    const functions = createFunctions(
      { deployment, policy, storage, queues, bus, resumes, modelApiKey },
      router,
    );
    consumeCommands(queues.commands, functions.worker, deployment.workerConcurrency);

    const tenant = deployment.eventTenant;
    createEventRules(triggers, { bus, ingest: functions.ingest, tenant, queues });
    createRecurringSchedules(triggers, { ingest: functions.ingest, sweep: functions.sweep, tenant, queues });

    createMonitoring(policy, { functions, queues });
    linkOperations({ storage, queues });

    return {
      ...(router === undefined ? { functions: addresses(functions) } : { url: router.url }),
      ...(validator !== undefined && { validator: validator.url }),
      ...(deployment.edge.kind === "lambda-edge" && { validator: $interpolate`${router?.url}/validate` }),
    };
  },
});

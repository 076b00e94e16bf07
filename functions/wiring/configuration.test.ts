import { describe, expect, test } from "vitest";
import { ConfigurationError, readConfiguration } from "./configuration.ts";

describe("a function's configuration", () => {
  test("holds what was asked for and nothing else", () => {
    const env = {
      ARCHMAX_BUCKET: " files ",
      ARCHMAX_STAGE: "dev",
      ARCHMAX_QUEUE_URL: "https://sqs/1/q.fifo",
    };
    expect(readConfiguration(env, ["bucket", "queueUrl"])).toEqual({
      bucket: "files",
      queueUrl: "https://sqs/1/q.fifo",
    });
  });

  test("names every variable that is missing, blank or wrong, and no value", () => {
    const env = { ARCHMAX_BUCKET: " ", ARCHMAX_QUEUE_URL: "secret", ARCHMAX_AUTH: "{secret" };
    expect(() => readConfiguration(env, ["bucket", "queueUrl", "auth", "busName"])).toThrow(
      new ConfigurationError(
        "The function's environment is incomplete: ARCHMAX_BUCKET is not set; ARCHMAX_QUEUE_URL: Invalid URL; " +
          "ARCHMAX_AUTH: is no JSON; ARCHMAX_BUS_NAME is not set.",
      ),
    );
  });

  test("reads the authentication as JSON, the retention as days, the path style as a switch", () => {
    const keys = ["auth", "retentionDays", "s3PathStyle"] as const;
    const auth = { kind: "apiKey" };
    const env = {
      ARCHMAX_AUTH: JSON.stringify(auth),
      ARCHMAX_RETENTION_DAYS: "30",
      ARCHMAX_S3_PATH_STYLE: "1",
    };
    expect(readConfiguration(env, keys)).toEqual({ auth, retentionDays: 30, s3PathStyle: true });
    expect(readConfiguration({ ARCHMAX_AUTH: env.ARCHMAX_AUTH }, keys)).toEqual({ auth, s3PathStyle: false });
    expect(() => readConfiguration({ ARCHMAX_RETENTION_DAYS: "never" }, ["retentionDays"])).toThrow(
      /ARCHMAX_RETENTION_DAYS/,
    );
  });

  test("looks for the workspace beside the bundle unless it is named", () => {
    expect(readConfiguration({}, ["workspaceDir"]).workspaceDir).toMatch(/[\\/]workspace$/);
    expect(readConfiguration({ ARCHMAX_WORKSPACE_DIR: "/w" }, ["workspaceDir"]).workspaceDir).toBe("/w");
  });
});

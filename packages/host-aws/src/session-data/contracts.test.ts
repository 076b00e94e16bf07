/** The host's contracts on stored sessions. */
import { fileLinksContract, sessionDataContract } from "@archmax-ai/host/contracts";
import { describe, test } from "vitest";
import { useS3Server } from "../../../store-s3/src/testing-fixtures/s3-server.ts";
import { useDatabase } from "../testing-fixtures/database.ts";
import { createS3FileLinks } from "./file-links.ts";
import { createAwsSessionData } from "./session-data.ts";

const database = useDatabase();
const server = useS3Server();

sessionDataContract({ describe, test }, async () => {
  const { client: s3, bucket } = await server.bucket();
  const dynamo = database.client();
  return {
    subject: createAwsSessionData({
      dynamo,
      checkpointsTable: await database.checkpointsTable(),
      s3,
      bucket,
    }),
    // S3 lists keys in XML, which has no control characters.
    unstorable: ["tab\there"],
  };
});

fileLinksContract({ describe, test }, async () => {
  const { client, bucket } = await server.bucket();
  const data = createAwsSessionData({
    dynamo: database.client(),
    checkpointsTable: "none",
    s3: client,
    bucket,
  });
  return {
    subject: createS3FileLinks({ client, bucket }),
    store: async (tenant, sessionId, path, content) => {
      const { backend } = data.forTenant(tenant).sessionStore;
      await backend.uploadFiles?.([[`/${sessionId}/${path}`, content]]);
    },
  };
});

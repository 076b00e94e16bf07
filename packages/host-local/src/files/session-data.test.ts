import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionDataContract } from "@archmax-ai/host/contracts";
import { describe, test } from "vitest";
import { createSessionData } from "./session-data.ts";

sessionDataContract({ describe, test }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "archmax-session-data-"));
  return {
    subject: createSessionData(folder),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});

import { S3Client } from "@aws-sdk/client-s3";
import { settings } from "./settings.ts";

/** How long S3 may take, in ms: its answer to an upload of 50 MB takes as long as the upload. */
const ANSWERED_WITHIN_MS = 60_000;

/** @param pathStyle for stand-ins that know no virtual hosts */
export const s3Client = (pathStyle: boolean): S3Client =>
  new S3Client({ ...settings(ANSWERED_WITHIN_MS), forcePathStyle: pathStyle });

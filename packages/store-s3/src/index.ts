/** `@archmax-ai/store-s3`: a Deep Agents backend and a session store on Amazon S3. */
export { S3PathError, S3StoreError, SessionStoreIdError } from "./errors.ts";
export type { S3GrepResult } from "./grep.ts";
export type { S3BackendOptions, S3Encryption } from "./options.ts";
export type { PresignDownloadOptions, PresignedRequest, PresignUploadOptions } from "./presign.ts";
export { S3Backend, type S3WriteOptions } from "./s3-backend.ts";
export { createS3SessionStore, type S3SessionStore, type S3SessionStoreOptions } from "./session-store.ts";
export type { S3DownloadResponse, S3UploadResponse } from "./transfers.ts";

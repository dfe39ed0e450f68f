import type { S3Config } from "#server/config.ts";
import { AppError, OperatorError, hasCode } from "#server/lib/app-error.ts";
import { translateDiskError } from "../disk-error.ts";
import { unreachable } from "./check-endpoint.ts";

/**
 * Returns how a request to the object storage failed: the name of its error and the HTTP status.
 */
function failureOf(error: unknown): { name: string; status: number | null } {
  if (!(error instanceof Error)) return { name: "", status: null };
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined;
  const status =
    typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
      ? Number(metadata.httpStatusCode)
      : null;
  return { name: error.name, status };
}

/** Returns whether the object exists but has changed. */
export const isChanged = (error: unknown): boolean => failureOf(error).status === 412;

/** Returns whether the access key lacks the permission for a request of `Bucket.run`. */
export const isDenied = (error: unknown): boolean =>
  error instanceof AppError && failureOf(error.cause).status === 403;

/** Returns whether the storage said that a request of `Bucket.run` names a missing object. */
export const isMissingKey = (error: unknown): boolean =>
  error instanceof AppError && failureOf(error.cause).name === "NoSuchKey";

/** Returns whether a request of `Bucket.run` that failed may succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "unavailable") return false;
  const { status } = failureOf(error.cause);
  return status === null || (status >= 500 && status !== 501) || status === 408 || status === 429;
}

const absent = new Set(["NoSuchKey", "NotFound", "NoSuchUpload"]);
const full = new Set(["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"]);

/**
 * Converts a failed request to an error for clients: `not_found`, `storage_full`, or otherwise
 * `unavailable`.
 */
export function translateS3Error(error: unknown): unknown {
  const { name, status } = failureOf(error);
  if (error instanceof AppError || name === "AbortError" || status === 412) return error;
  // Objects are also fetched to this machine's disk.
  if (hasCode(error, "ENOSPC", "EDQUOT")) return translateDiskError(error);
  if (absent.has(name)) {
    return new AppError("not_found", "File not found.", { cause: error });
  }
  if (full.has(name) || status === 507) {
    return new AppError("storage_full", "Storage is full. Free up some space and try again.", {
      cause: error,
    });
  }
  return new AppError("unavailable", "Media storage can't be reached. Try again in a moment.", {
    retryAfterS: 5,
    cause: error,
  });
}

const wrongKey = new Set(["InvalidAccessKeyId", "Unauthorized", "UnknownAccessKey"]);
const wrongRegion = new Set([
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
  "PermanentRedirect",
  "InvalidRegion",
]);

/** Explains in one line, with the variable to fix, why the first request at startup failed. */
export function explainS3Error(error: unknown, { endpoint, bucket, region }: S3Config): unknown {
  if (!(error instanceof AppError) || error.cause === undefined) return error;
  const { cause } = error;
  const { name, status } = failureOf(cause);
  const says = (line: string) => new OperatorError(line, { cause: error });
  if (hasCode(cause, "ENOSPC", "EDQUOT")) {
    return says("DATA_DIR: its disk is full. Free up some space and try again.");
  }
  if (name === "NoSuchBucket" || name === "InvalidBucketName") {
    return says(`S3_BUCKET: ${endpoint} has no bucket "${bucket}". Create it.`);
  }
  if (wrongKey.has(name)) {
    return says(`S3_ACCESS_KEY_ID: ${endpoint} doesn't know this key. Use another one.`);
  }
  if (name === "SignatureDoesNotMatch") {
    return says(
      `S3_SECRET_ACCESS_KEY: ${endpoint} rejects it. Use the secret of the key S3_ACCESS_KEY_ID.`,
    );
  }
  if (name === "RequestTimeTooSkewed") {
    return says(
      `S3_ENDPOINT: the clocks of this machine and of ${endpoint} differ too much. Synchronise this machine's clock with NTP.`,
    );
  }
  if (wrongRegion.has(name) || status === 301) {
    return says(
      `S3_REGION: "${region}" isn't the region of the bucket "${bucket}". Use the bucket's region.`,
    );
  }
  if (name === "AccessDenied" || status === 403) {
    return says(
      `S3_ACCESS_KEY_ID: this key can't use the bucket "${bucket}". Allow it to read, write, list and delete.`,
    );
  }
  if (cause instanceof Error && status === null) {
    const reason = hasCode(cause, "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ECONNRESET")
      ? String("code" in cause ? cause.code : name)
      : cause.message || name;
    return unreachable(endpoint, reason, error);
  }
  if (status !== null && status >= 400) {
    return says(`S3_ENDPOINT: ${endpoint} responds with an error (${status} ${name}).`);
  }
  return error;
}

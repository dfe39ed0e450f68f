import { setTimeout as wait } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import type { S3Config } from "#server/config.ts";
import { isTransient, translateS3Error } from "./s3-errors.ts";

/** Attempts per request, with increasing pauses. */
const maxAttempts = 4;

/**
 * Client for one bucket.
 * @param pausesMs pauses after which a request is sent again if the bucket is unavailable. The site
 * has none, so that visitors soon get a response.
 */
export function openBucket(config: S3Config, pausesMs: readonly number[] = []) {
  const create = (endpoint: string) =>
    new S3Client({
      endpoint,
      region: config.region,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      forcePathStyle: config.isPathStyle,
      maxAttempts,
      // Engines other than Amazon's don't support the newer checksums. Bodies are signed anyway.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: 3000,
        socketTimeout: 30_000,
        // Large, because each viewer holds a socket if the site sends media itself.
        httpAgent: { keepAlive: true, maxSockets: 1024 },
        httpsAgent: { keepAlive: true, maxSockets: 1024 },
      },
    });
  const client = create(config.endpoint);
  return {
    name: config.bucket,
    /** Prefix of all keys. */
    prefix: config.prefix,
    client,
    /** Client that creates signed addresses for browsers. */
    publicClient:
      config.publicEndpoint === config.endpoint ? client : create(config.publicEndpoint),
    /** Runs a request. @throws the result of `translateS3Error` on failure. */
    async run<T>(request: (client: S3Client) => Promise<T>): Promise<T> {
      for (let failures = 0; ; failures += 1) {
        try {
          return await request(client);
        } catch (cause) {
          const error = translateS3Error(cause);
          const pauseMs = pausesMs[failures];
          if (pauseMs === undefined || !isTransient(error)) throw error;
          await wait(pauseMs);
        }
      }
    },
  };
}

export type Bucket = ReturnType<typeof openBucket>;

import { S3Client } from "@aws-sdk/client-s3";
import type { S3Config } from "#server/config.ts";
import { translateS3Error } from "./s3-errors.ts";

/** Attempts of one request, with growing pauses between them. */
const maxAttempts = 4;

/** Sends requests to one bucket. */
export interface Bucket {
  readonly name: string;
  /** What stands in front of all keys. */
  readonly prefix: string;
  readonly client: S3Client;
  /** Creates signed addresses that browsers reach. */
  readonly publicClient: S3Client;
  /** Runs a request. @throws what `translateS3Error` makes of its failure. */
  run<T>(request: (client: S3Client) => Promise<T>): Promise<T>;
}

export function openBucket(config: S3Config): Bucket {
  const create = (endpoint: string) =>
    new S3Client({
      endpoint,
      region: config.region,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      forcePathStyle: config.isPathStyle,
      maxAttempts,
      // Other engines than Amazon's know none of the newer checksums; bodies are signed anyway.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: 3000,
        socketTimeout: 30_000,
        // Each viewer of a site that sends media itself holds one.
        httpAgent: { keepAlive: true, maxSockets: 1024 },
        httpsAgent: { keepAlive: true, maxSockets: 1024 },
      },
    });
  const client = create(config.endpoint);
  return {
    name: config.bucket,
    prefix: config.prefix,
    client,
    publicClient:
      config.publicEndpoint === config.endpoint ? client : create(config.publicEndpoint),
    run: (request) =>
      request(client).catch((error: unknown) => {
        throw translateS3Error(error);
      }),
  };
}

import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { AppError } from "#server/lib/app-error.ts";
import type { Bucket } from "./s3-client.ts";
import { isChanged, translateS3Error } from "./s3-errors.ts";

/** Maximum number of consecutive interruptions of a body without receiving a byte in between. */
const maxBreaks = 4;
const pauseMs = 200;
/** The viewer would get other bytes than announced, or the next response on the connection. */
const wrongRange = "Object storage didn't return the requested range.";

/**
 * Yields the bytes from `start` to `end`, both included. If the body is interrupted, continues
 * after the last received byte as long as the object is the same.
 */
export async function* readObject(
  bucket: Bucket,
  object: { key: string; etag: string },
  { start, end }: { start: number; end: number },
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let breaks = 0;
  for (let at = start; at <= end;) {
    const body = await openBody(bucket, object, { start: at, end }, signal);
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array))
          throw new Error("Object storage returned an empty body.");
        at += chunk.byteLength;
        if (at > end + 1) throw translateS3Error(new Error(wrongRange));
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (breaks >= maxBreaks || error instanceof AppError) throw translateS3Error(error);
    } finally {
      body.destroy();
    }
    if (at > end) return;
    // The body ended early, with or without an error.
    breaks += 1;
    if (breaks > maxBreaks) throw translateS3Error(new Error("The object is incomplete."));
    await wait(
      pauseMs * 2 ** breaks * Math.random(),
      undefined,
      signal === undefined ? {} : { signal },
    );
  }
}

async function openBody(
  bucket: Bucket,
  { key, etag }: { key: string; etag: string },
  { start, end }: { start: number; end: number },
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const { Body, ContentLength, $metadata } = await bucket
    .run((client) =>
      client.send(
        new GetObjectCommand({
          Bucket: bucket.name,
          Key: bucket.prefix + key,
          Range: `bytes=${start}-${end}`,
          IfMatch: etag,
        }),
        signal === undefined ? {} : { abortSignal: signal },
      ),
    )
    .catch((error: unknown) => {
      if (!isChanged(error)) throw error;
      throw new AppError("not_found", "This file has been replaced.", { cause: error });
    });
  if (!(Body instanceof Readable)) throw new Error("Object storage didn't return a stream.");
  const isRange =
    ContentLength === undefined
      ? $metadata.httpStatusCode === 206
      : ContentLength === end - start + 1;
  if (isRange) return Body;
  Body.destroy();
  throw translateS3Error(new Error(wrongRange));
}

import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { AppError } from "../lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";
import type { ObjectStat, Storage } from "./storage.ts";

export interface ReceiveOptions {
  maxBytes: number;
  /** Also compute the SHA-256 of the bytes (costs about a second per 500 MB). */
  sha256?: boolean;
  signal?: AbortSignal;
  /** Called after every chunk with the bytes so far. */
  onBytes?: (receivedBytes: number) => void;
}

export interface ReceivedFile {
  path: string;
  sizeBytes: number;
  /** Lower-case hex, where it was asked for. */
  sha256: string | null;
}

/** "500 MB" for 524288000; the words of the upload page. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return `${megabytes >= 10 ? Math.round(megabytes) : Math.round(megabytes * 10) / 10} MB`;
}

/**
 * Writes a stream to a new local file, chunk by chunk, and syncs it. The file is removed when
 * anything fails: AppError `too_large` beyond the limit, `storage_full`, an abort, a broken source.
 */
export async function receiveToFile(
  source: AsyncIterable<Uint8Array>,
  localPath: string,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
  const hash = options.sha256 === true ? createHash("sha256") : null;
  const handle = await open(localPath, "wx", 0o600).catch((error: unknown) => {
    throw translateDiskError(error);
  });
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      options.signal?.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > options.maxBytes) {
        throw new AppError(
          "too_large",
          `The file is larger than the ${formatMegabytes(options.maxBytes)} that are allowed.`,
        );
      }
      hash?.update(chunk);
      for (let written = 0; written < chunk.byteLength;) {
        written += (await handle.write(chunk, written)).bytesWritten;
      }
      options.onBytes?.(sizeBytes);
    }
    options.signal?.throwIfAborted();
    await handle.sync();
    await handle.close();
    return { path: localPath, sizeBytes, sha256: hash?.digest("hex") ?? null };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(localPath, { force: true }).catch(() => undefined);
    throw translateDiskError(error);
  }
}

/** Receives a stream and stores it under `key`, with the failures of `receiveToFile`. */
export async function streamToStorage(
  storage: Storage,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ObjectStat & { sha256: string | null }> {
  await using scratch = await storage.makeScratch();
  const received = await receiveToFile(source, `${scratch.path}/incoming`, options);
  const stored = await storage.putFile(key, received.path, { consume: true });
  return { ...stored, sha256: received.sha256 };
}

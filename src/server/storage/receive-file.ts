import { open, rm } from "node:fs/promises";
import { AppError } from "#server/lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";

/** Formats a size as the upload page does: "500 MB" for 524288000. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return `${megabytes >= 10 ? Math.round(megabytes) : Math.round(megabytes * 10) / 10} MB`;
}

/** Returns the message for an admin whose file exceeds the limit. */
export const tooLargeMessage = (maxBytes: number): string =>
  `The file is larger than the allowed ${formatMegabytes(maxBytes)}.`;

/**
 * Writes a stream to a new local file and syncs it. Removes the file on failure.
 * @throws AppError too_large beyond the limit; storage_full; on abort; the source's errors.
 */
export async function receiveToFile(
  source: AsyncIterable<Uint8Array>,
  localPath: string,
  options: { maxBytes: number; signal?: AbortSignal },
): Promise<{ sizeBytes: number }> {
  const handle = await open(localPath, "wx", 0o600).catch((error: unknown) => {
    throw translateDiskError(error);
  });
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      options.signal?.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > options.maxBytes) {
        throw new AppError("too_large", tooLargeMessage(options.maxBytes));
      }
      for (let written = 0; written < chunk.byteLength;) {
        written += (await handle.write(chunk, written)).bytesWritten;
      }
    }
    options.signal?.throwIfAborted();
    await handle.sync();
    await handle.close();
    return { sizeBytes };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(localPath, { force: true }).catch(() => undefined);
    throw translateDiskError(error);
  }
}

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";

export interface OpenUpload {
  sizeBytes: number;
  /** Id of the account that started it. */
  account: string | null;
}

export const maxOpenUploads = 20;
/** Time without growth after which an upload no longer counts against its account. */
const openMs = 24 * 3600 * 1000;
/** Lifetime of a reservation whose files never appeared. */
const pendingMs = 60_000;

/** Renditions need about as much space as the original, and the original is retained. */
const spaceFor = (sizeBytes: number): number => sizeBytes * 2;

export function createUploadReservations(deps: {
  directory: string;
  findUpload: (id: string) => Promise<OpenUpload | null>;
  /** Counts an account's uploads outside the folder that have grown since then. */
  countElsewhere?: (account: string | null, since: Date) => Promise<number>;
  /** Returns the free bytes of the storage; null if unknown. */
  findFreeBytes: () => Promise<number | null>;
  now?: () => number;
}) {
  const { directory, findUpload, findFreeBytes, now = Date.now } = deps;
  /** Reservations whose files do not exist yet. */
  const pending = new Map<string, OpenUpload & { since: number }>();
  let last: Promise<unknown> = Promise.resolve();

  async function check(id: string, upload: OpenUpload): Promise<void> {
    const names = await readdir(directory).catch(() => []);
    let reservedBytes = 0;
    let openCount = (await deps.countElsewhere?.(upload.account, new Date(now() - openMs))) ?? 0;
    for (const name of names.filter(isUuid)) {
      const [info, known] = await Promise.all([
        stat(join(directory, name)).catch(() => null),
        findUpload(name),
      ]);
      if (info === null || known === null) continue;
      pending.delete(name);
      // Bytes that have been received no longer count as free space.
      reservedBytes += Math.max(0, spaceFor(known.sizeBytes) - info.size);
      if (known.account === upload.account && now() - info.mtimeMs < openMs) openCount += 1;
    }
    for (const [name, other] of pending) {
      if (now() - other.since > pendingMs) pending.delete(name);
      else {
        reservedBytes += spaceFor(other.sizeBytes);
        if (other.account === upload.account) openCount += 1;
      }
    }
    if (openCount >= maxOpenUploads) {
      throw new AppError(
        "rate_limited",
        `${maxOpenUploads} uploads are open already. Finish or cancel one first.`,
        { retryAfterS: 60 },
      );
    }
    const freeBytes = await findFreeBytes();
    if (freeBytes !== null && spaceFor(upload.sizeBytes) > freeBytes - reservedBytes) {
      throw new AppError("storage_full", "Storage is full. Free up some space and try again.");
    }
    pending.set(id, { ...upload, since: now() });
  }

  return {
    /**
     * Reserves space for a new upload before its files exist.
     * @throws AppError rate_limited for an account with too many open uploads; storage_full if the
     * file and its renditions don't fit in addition to those of other open uploads.
     */
    reserve(id: string, upload: OpenUpload): Promise<void> {
      // Runs one check at a time, because two concurrent checks would see the same free space.
      const run = last.then(() => check(id, upload));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

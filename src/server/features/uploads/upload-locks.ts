import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { deleteExpiredLocks, releaseLock, renewLock, takeLock } from "./upload-locks.repository.ts";

/** A lock whose process died is free after this long. */
const leaseMs = 5000;
const renewEveryMs = 500;
const tryEveryMs = 100;
/** How long a request waits for the one before, which is asked to end. */
const defaultPatienceMs = 30_000;

interface Options {
  /** Gives up waiting. */
  signal?: AbortSignal;
  /** Another request asks for the lock, or it was lost: end soon. Called once. */
  onWanted?: () => unknown;
}

/**
 * One request at a time per upload, over all processes on one database: parts of a file, its end, and
 * the form that takes it may arrive at different ones.
 */
export interface UploadLocks {
  /**
   * Waits for the lock of an upload. @returns what releases it.
   * @throws AppError unavailable when the request before does not end.
   */
  acquire(uploadId: string, options?: Options): Promise<() => Promise<void>>;
  /** Deletes what dead processes left behind. */
  sweep(): Promise<void>;
}

export function createUploadLocks(db: Db, patienceMs: number = defaultPatienceMs): UploadLocks {
  return {
    async acquire(uploadId, { signal, onWanted } = {}) {
      const lock = { uploadId, holder: newToken(9) };
      const until = performance.now() + patienceMs;
      while (!(await takeLock(db, lock, leaseMs))) {
        if (signal?.aborted === true || performance.now() > until) {
          throw new AppError(
            "unavailable",
            "Another request is still writing to this upload. Try again in a moment.",
            { retryAfterS: 5 },
          );
        }
        await wait(tryEveryMs);
      }
      let isWanted = false;
      const timer = setInterval(() => {
        // While the database is away, no other request can take the lock either.
        renewLock(db, lock, leaseMs).then(
          (isUndisputed) => {
            if (isUndisputed || isWanted) return;
            isWanted = true;
            onWanted?.();
          },
          () => undefined,
        );
      }, renewEveryMs);
      timer.unref();
      return async () => {
        clearInterval(timer);
        isWanted = true;
        // Otherwise it expires.
        await releaseLock(db, lock).catch(() => undefined);
      };
    },
    sweep: () => deleteExpiredLocks(db),
  };
}

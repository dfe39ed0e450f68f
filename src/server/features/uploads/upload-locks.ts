import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { deleteExpiredLocks, releaseLock, renewLock, takeLock } from "./upload-locks.repository.ts";

/** Time after which the lock of a dead process is free. */
const leaseMs = 5000;
const renewEveryMs = 500;
const tryEveryMs = 100;
/** Time that a request waits for the previous one, which is asked to end. */
const defaultPatienceMs = 30_000;

interface Options {
  /** Cancels waiting. */
  signal?: AbortSignal;
  /**
   * Called once if another request asks for the lock or the lock was lost. The holder should end
   * soon.
   */
  onWanted?: () => unknown;
}

/**
 * Locks that allow one request at a time per upload, across all processes of a database. Parts of a
 * file, its end, and its form may arrive at different processes.
 */
export function createUploadLocks(db: Db, patienceMs: number = defaultPatienceMs) {
  return {
    /**
     * Waits for an upload's lock. @returns a function that releases it.
     * @throws AppError unavailable if the previous request doesn't end.
     */
    async acquire(
      uploadId: string,
      { signal, onWanted }: Options = {},
    ): Promise<() => Promise<void>> {
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
        // If the database is unreachable, no other request can take the lock either.
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
        // If this fails, the lock expires.
        await releaseLock(db, lock).catch(() => undefined);
      };
    },
    /** Deletes locks left behind by dead processes. */
    sweep: (): Promise<void> => deleteExpiredLocks(db),
  };
}

export type UploadLocks = ReturnType<typeof createUploadLocks>;

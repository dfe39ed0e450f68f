import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "#server/lib/app-error.ts";

/** Pauses before each attempt to read back the outcome of a commit. */
const readBackDelaysMs = [0, 100, 400, 1500, 3000];

/**
 * Whether an error leaves open if the transaction was committed: the response to COMMIT may be lost. Errors
 * of the application, and those that PostgreSQL itself reports about a statement, prove a rollback.
 */
function isOutcomeUncertain(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable" || error.code === "internal";
  if (!(error instanceof Error) || !("code" in error)) return true;
  // Not a SQLSTATE: an error of the socket.
  if (typeof error.code !== "string" || !/^[0-9A-Z]{5}$/.test(error.code)) return true;
  // Lost connections, an unknown completion, a shutdown during COMMIT, internal errors.
  return /^(08|57P|58|XX)|^40003$|^E[A-Z]{4}$/.test(error.code);
}

/**
 * Runs a transaction that refers to files which are stored already. After an error it reads back whether
 * the change was committed all the same, and deletes the files only when it certainly was not. Files of
 * an unknown outcome are left to the sweep.
 * @returns the result, or null where the change was committed but its response was lost.
 * @throws the error of the transaction.
 */
export async function settleCommit<T>(
  change: () => Promise<T>,
  after: {
    /** Reads from the database whether the change is there. */
    isCommitted: () => Promise<boolean>;
    /** Deletes the files of the change. */
    deleteFiles?: () => Promise<unknown>;
    /** For tests. */
    delaysMs?: readonly number[];
  },
): Promise<T | null> {
  try {
    return await change();
  } catch (error) {
    const isUncertain = isOutcomeUncertain(error);
    const isCommitted = await readBack(after.isCommitted, {
      isUncertain,
      delaysMs: after.delaysMs ?? readBackDelaysMs,
    });
    if (isCommitted === true) return null;
    if (!isUncertain && isCommitted === false) await after.deleteFiles?.().catch(() => undefined);
    throw error;
  }
}

/** @returns null where the database could not be read. */
async function readBack(
  isCommitted: () => Promise<boolean>,
  { isUncertain, delaysMs }: { isUncertain: boolean; delaysMs: readonly number[] },
): Promise<boolean | null> {
  let outcome: boolean | null = null;
  for (const delayMs of delaysMs) {
    await wait(delayMs);
    try {
      outcome = await isCommitted();
    } catch {
      continue;
    }
    // A commit whose response is lost may still be under way.
    if (outcome || !isUncertain) return outcome;
  }
  return outcome;
}

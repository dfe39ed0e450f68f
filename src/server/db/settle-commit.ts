import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "#server/lib/app-error.ts";

/** Pauses before each attempt to read back the outcome of a commit. */
const readBackDelaysMs = [0, 100, 400, 1500, 3000];

/**
 * Returns whether it is uncertain after an error if the transaction was committed, because the
 * response to COMMIT may be lost. Application errors, and errors that PostgreSQL reports about a
 * statement, prove a rollback.
 */
function isOutcomeUncertain(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable" || error.code === "internal";
  if (!(error instanceof Error) || !("code" in error)) return true;
  // A socket error and not a SQLSTATE.
  if (typeof error.code !== "string" || !/^[0-9A-Z]{5}$/.test(error.code)) return true;
  // Lost connections, an unknown completion, a shutdown during COMMIT, internal errors.
  return /^(08|57P|58|XX)|^40003$|^E[A-Z]{4}$/.test(error.code);
}

/**
 * Runs a transaction that refers to files already stored. After an error, reads back whether the
 * change was committed, and deletes the files only if it definitely wasn't. If the outcome stays
 * unknown, the sweep handles the files.
 * @returns the result, or null if the change was committed but its response was lost.
 * @throws the transaction's error.
 */
export async function settleCommit<T>(
  change: () => Promise<T>,
  after: {
    /** Reads from the database whether the change exists. */
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

/** @returns null if the database couldn't be read. */
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
    // A commit whose response was lost may still be in progress.
    if (outcome || !isUncertain) return outcome;
  }
  return outcome;
}

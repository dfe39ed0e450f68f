import { AppError } from "#server/lib/app-error.ts";
import { findCause, type MediaCause } from "./media-cause.ts";
import type { RunResult } from "./run-process.ts";

/** A media tool failed. For the log: users get another message. */
export class MediaProcessError extends Error {
  readonly result: RunResult;
  readonly mediaCause: MediaCause;

  constructor(what: string, result: RunResult) {
    const how =
      result.killed !== null
        ? `was stopped (${result.killed})`
        : result.exitCode === null
          ? `was ended by ${result.signal}`
          : `ended with ${result.exitCode}`;
    super(`${what} ${how}: ${lastLines(result.stderr, 6)}`);
    this.name = "MediaProcessError";
    this.result = result;
    this.mediaCause = findCause(result);
  }
}

/** The machine ended a media tool: the run says nothing about the file and can be repeated. */
export class InterruptedError extends AppError {
  readonly mediaCause: MediaCause;

  constructor(what: string, result: RunResult) {
    super(
      "unavailable",
      "The server is too busy to examine the file. Please try again in a minute.",
      { cause: new MediaProcessError(what, result) },
    );
    this.name = "InterruptedError";
    this.mediaCause = findCause(result);
  }
}

/** A step's output is incomplete although its media tool reported success. It can be repeated. */
export class UnverifiedOutputError extends AppError {
  readonly mediaCause: MediaCause;

  constructor(file: string, problem: string, isDiskFull: boolean) {
    super(
      isDiskFull ? "storage_full" : "unavailable",
      isDiskFull
        ? "Storage is full. Free up some space and try again."
        : "A processed file came out incomplete. The next attempt makes it again.",
      { cause: new Error(`${file}: ${problem}`) },
    );
    this.name = "UnverifiedOutputError";
    this.mediaCause = isDiskFull ? "disk-full" : "unverified";
  }
}

const fileCauses = new Set<MediaCause>(["file", "limits", "storage"]);

/**
 * Whether the bytes of the file may have made a media tool fail, also by exceeding the memory planned
 * for it. Steps can go on without the output of such a run. Memory that the machine refused is not
 * among the causes.
 */
export const isFileFailure = (error: unknown): error is MediaProcessError =>
  error instanceof MediaProcessError &&
  (fileCauses.has(error.mediaCause) || error.result.killed === "memory");

/**
 * Whether a run reached one of its limits, by the evidence of that limit: the runner stopped it, the
 * kernel says so, its processor time is used up, or memory was refused to it.
 */
export function isOverLimits(result: RunResult): boolean {
  const cause = findCause(result);
  return cause === "limits" || cause === "memory";
}

/** Causes that the machine is to blame for, and that the next run may not meet. */
const machineCauses = new Set<MediaCause>([
  ...(["permission", "processes", "signal", "sandbox", "timeout"] as const),
]);

/** Whether the machine ended a run: a signal, a time-out, a permission, too many processes. */
export const isInterrupted = (result: RunResult): boolean =>
  (result.exitCode !== 0 || result.killed !== null) && machineCauses.has(findCause(result));

export function lastLines(text: string, count: number): string {
  return text.trim().split("\n").slice(-count).join(" | ").slice(-1500);
}

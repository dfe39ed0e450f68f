import { AppError } from "#server/lib/app-error.ts";
import { findCause, type MediaCause } from "./media-cause.ts";
import type { RunResult } from "./run-process.ts";

/** Failure of a media tool, for the log. Users see a different message. */
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

/**
 * Run of a media tool that the machine ended. It isn't the file's fault, and the run can be
 * repeated.
 */
export class InterruptedError extends AppError {
  readonly mediaCause: MediaCause;

  constructor(what: string, result: RunResult) {
    super("unavailable", "The server is too busy to examine the file. Try again in a minute.", {
      cause: new MediaProcessError(what, result),
    });
    this.name = "InterruptedError";
    this.mediaCause = findCause(result);
  }
}

/** Incomplete output, although the media tool reported success. The step can be repeated. */
export class UnverifiedOutputError extends AppError {
  readonly mediaCause: MediaCause;
  /** File and what is wrong with it. */
  readonly problem: string;

  constructor(file: string, problem: string, isDiskFull: boolean) {
    super(
      isDiskFull ? "storage_full" : "unavailable",
      isDiskFull
        ? "Storage is full. Free up some space and try again."
        : "A processed file is incomplete. The next attempt makes it again.",
      { cause: new Error(`${file}: ${problem}`) },
    );
    this.name = "UnverifiedOutputError";
    this.problem = `${file}: ${problem}`;
    this.mediaCause = isDiskFull ? "disk-full" : "unverified";
  }
}

const fileCauses = new Set<MediaCause>(["file", "limits", "storage"]);

/**
 * Returns whether the file's content may have made a media tool fail, for example because it used
 * more memory than planned. Steps can continue without the output of such a run. If the machine
 * refused memory, that doesn't count.
 */
export const isFileFailure = (error: unknown): error is MediaProcessError =>
  error instanceof MediaProcessError &&
  (fileCauses.has(error.mediaCause) || error.result.killed === "memory");

/**
 * Returns whether there is evidence that a run reached one of its limits: the runner stopped it,
 * the kernel reported it, its processor time is used up, or it was refused memory.
 */
export function isOverLimits(result: RunResult): boolean {
  const cause = findCause(result);
  return cause === "limits" || cause === "memory";
}

/** Causes that are the machine's fault and may not affect the next run. */
const machineCauses = new Set<MediaCause>([
  ...(["permission", "processes", "signal", "sandbox", "timeout"] as const),
]);

/**
 * Returns whether the machine ended a run, by a signal, a timeout, a permission or too many
 * processes.
 */
export const isInterrupted = (result: RunResult): boolean =>
  (result.exitCode !== 0 || result.killed !== null) && machineCauses.has(findCause(result));

/**
 * Throws if the machine refused ffprobe memory, because its output then says nothing about the
 * file.
 */
export function throwIfMemoryRefused(what: string, result: RunResult): void {
  if (result.exitCode !== 0 && result.killed === null && findCause(result) === "memory") {
    throw new MediaProcessError(what, result);
  }
}

export function lastLines(text: string, count: number): string {
  return text.trim().split("\n").slice(-count).join(" | ").slice(-1500);
}

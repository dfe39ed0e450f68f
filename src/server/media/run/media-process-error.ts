import { AppError } from "#server/lib/app-error.ts";
import type { RunResult } from "./run-process.ts";

/** A media tool failed. For the log: users get another message. */
export class MediaProcessError extends Error {
  readonly result: RunResult;

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
  }
}

/** Something outside ended a media tool: the run says nothing about the file and can be repeated. */
export class InterruptedError extends AppError {
  constructor(what: string, result: RunResult) {
    super(
      "unavailable",
      "The server is too busy to examine the file. Please try again in a minute.",
      { cause: new MediaProcessError(what, result) },
    );
    this.name = "InterruptedError";
  }
}

/** What a decoder that crashes ends by; the same file would crash it again. */
const crashes = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP"]);
/** What the kernel sends at the limits for processor time and file size. */
const limitSignals = new Set(["SIGXCPU", "SIGXFSZ"]);
/** The exit code of ffmpeg after a signal that it handles itself. */
const ffmpegSignalled = 255;

/**
 * Whether a run reached one of its limits, by the evidence of that limit: the runner stopped it, the
 * kernel says so, its processor time is used up, or memory was refused to it.
 */
export function isOverLimits(result: RunResult): boolean {
  if (result.killed !== null) return result.killed !== "timeout" && result.killed !== "hung";
  if (limitSignals.has(result.signal ?? "")) return true;
  const isSignalled = result.signal !== null || result.exitCode === ffmpegSignalled;
  if (isSignalled && result.isOutOfCpuTime) return true;
  return /Cannot allocate memory|Failed to allocate/.test(result.stderr);
}

/**
 * Whether something outside ended a run: a signal of an operator, a stop or the out-of-memory killer,
 * or a machine on which it got no processor time.
 */
export function isInterrupted(result: RunResult): boolean {
  if (isOverLimits(result)) return false;
  if (result.killed !== null) return result.killed === "timeout";
  if (result.signal !== null) return !crashes.has(result.signal);
  // The same code as that of EPERM.
  return result.exitCode === ffmpegSignalled && !result.stderr.includes("Operation not permitted");
}

export function lastLines(text: string, count: number): string {
  return text.trim().split("\n").slice(-count).join(" | ").slice(-1500);
}

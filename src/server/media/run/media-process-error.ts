import type { RunResult } from "./run-process.ts";

/** A media tool failed. For the log: users get another message. */
export class MediaProcessError extends Error {
  readonly result: RunResult;

  constructor(what: string, result: RunResult) {
    const how =
      result.killed !== null
        ? `was stopped (${result.killed})`
        : result.exitCode === null
          ? "was killed"
          : `ended with ${result.exitCode}`;
    super(`${what} ${how}: ${lastLines(result.stderr, 6)}`);
    this.name = "MediaProcessError";
    this.result = result;
  }
}

/** Stopped by a limit of the runner or the kernel, or out of memory. */
export function isOverLimits(result: RunResult): boolean {
  return (
    result.killed !== null ||
    result.exitCode === null ||
    /Cannot allocate memory|Failed to allocate/.test(result.stderr)
  );
}

export function lastLines(text: string, count: number): string {
  return text.trim().split("\n").slice(-count).join(" | ").slice(-1500);
}

import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import { isUnwritable } from "#server/storage/disk-error.ts";
import type { MediaCause } from "./media-cause.ts";
import {
  InterruptedError,
  MediaProcessError,
  UnverifiedOutputError,
} from "./media-process-error.ts";

/** External reason why processing failed. It can pass without a change to the file. */
export interface OutsideCause {
  name: string;
  /** Explanation shown in the back office while the video waits. */
  explanation: string;
  /**
   * True if some files cause the same error. After many attempts on an idle server, the file is
   * blamed.
   */
  canComeFromFile?: boolean;
  matches(error: Error): boolean;
}

const hasAppCode = (error: Error, ...codes: string[]) =>
  error instanceof AppError && codes.includes(error.code);
const hasSqlState = (error: Error, pattern: RegExp) =>
  "code" in error && typeof error.code === "string" && pattern.test(error.code);
const isSpawn = (error: Error) => "syscall" in error && String(error.syscall).startsWith("spawn");
const hasMediaCause = (error: Error, ...causes: MediaCause[]) =>
  (error instanceof MediaProcessError ||
    error instanceof InterruptedError ||
    error instanceof UnverifiedOutputError) &&
  causes.includes(error.mediaCause);
/** Returns whether an error contains output from a tool. Messages for users contain no causes. */
const quotes = (error: Error, pattern: RegExp) =>
  !(error instanceof AppError) && pattern.test(error.message);

export const sourceMissing: OutsideCause = {
  name: "source missing",
  explanation: "The original file can't be found in storage.",
  matches: (error) => hasAppCode(error, "not_found"),
};

const storageProblem = "Storage can't be read or written.";

/** Temporary causes for all processing steps. The first one that matches explains a failure. */
const outsideCauses: readonly OutsideCause[] = [
  {
    name: "storage full",
    explanation: "Storage is full.",
    matches: (error) =>
      hasCode(error, "ENOSPC", "EDQUOT") ||
      hasAppCode(error, "storage_full") ||
      hasSqlState(error, /^53100$/) ||
      hasMediaCause(error, "disk-full"),
  },
  sourceMissing,
  {
    name: "database",
    explanation: "The database can't be reached.",
    matches: (error) =>
      isDatabaseUnreachable(error) ||
      hasSqlState(error, /^(53|57|58|08)\w{3}$|^(40001|40P01|55P03)$/),
  },
  {
    name: "permission",
    explanation: "The server doesn't have permission to read or write a file it needs.",
    matches: (error) => hasCode(error, "EACCES", "EPERM") || hasMediaCause(error, "permission"),
  },
  {
    name: "storage",
    explanation: storageProblem,
    // A missing or refused path of the site itself is never the file's fault.
    matches: (error) =>
      hasAppCode(error, "storage_unwritable") ||
      isUnwritable(error) ||
      hasCode(
        error,
        ...["EIO", "ESTALE", "ENOTCONN", "ENODEV", "ENXIO", "EBUSY", "ENOLINK", "EREMOTEIO"],
        ...["ECONNRESET", "ECONNREFUSED", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
      ),
  },
  {
    name: "tools",
    explanation: "Couldn't start ffmpeg or ffprobe.",
    matches: (error) =>
      (isSpawn(error) && hasCode(error, "ENOENT")) ||
      hasMediaCause(error, "sandbox") ||
      quotes(error, /error while loading shared libraries|: (command )?not found$/m),
  },
  {
    name: "processes",
    explanation: "The server has reached its limit of processes or open files.",
    canComeFromFile: true,
    matches: (error) =>
      hasCode(error, "EAGAIN", "EMFILE", "ENFILE") || hasMediaCause(error, "processes"),
  },
  {
    name: "memory",
    explanation: "The server doesn't have enough free memory.",
    canComeFromFile: true,
    matches: (error) =>
      hasCode(error, "ENOMEM") ||
      hasMediaCause(error, "memory") ||
      quotes(error, /Cannot allocate memory|Failed to allocate/),
  },
  {
    name: "time-out",
    explanation: "The server was too busy to finish in time.",
    canComeFromFile: true,
    matches: (error) =>
      hasCode(error, "ETIMEDOUT") ||
      error.name === "TimeoutError" ||
      hasMediaCause(error, "timeout"),
  },
  {
    name: "unverified",
    explanation: "A processed file is incomplete.",
    canComeFromFile: true,
    matches: (error) => hasMediaCause(error, "unverified"),
  },
  {
    name: "unreadable",
    explanation: storageProblem,
    canComeFromFile: true,
    matches: (error) => hasMediaCause(error, "storage"),
  },
  {
    name: "interrupted",
    explanation: "Processing was interrupted.",
    matches: (error) =>
      hasMediaCause(error, "signal") || hasAppCode(error, "unavailable") || isSpawn(error),
  },
];

/** @returns null if only the file's content can explain the failure. */
export function findOutsideCause(error: unknown): OutsideCause | null {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 20; at = at.cause) chain.push(at);
  return outsideCauses.find((cause) => chain.some((each) => cause.matches(each))) ?? null;
}

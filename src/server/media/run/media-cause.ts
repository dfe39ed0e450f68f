import type { RunResult } from "./run-process.ts";

/**
 * Why a media tool failed. Code that decides about retries reads it from `mediaCause` of
 * MediaProcessError, InterruptedError and UnverifiedOutputError.
 *
 * - `disk-full`: no space or quota left for the output
 * - `permission`: a file may not be read or written
 * - `memory`: killed at its memory limit, or memory was refused
 * - `processes`: the system refused another process, thread or open file (EAGAIN, EMFILE)
 * - `signal`: killed from outside: an operator, a stop, the out-of-memory killer
 * - `sandbox`: the sandbox or the tool itself failed to start
 * - `timeout`: no processor time for too long
 * - `storage`: an input or output error of a disk or network file system; demuxers print it for some
 *   damaged files, too
 * - `unverified`: the tool reported success, but its output is incomplete
 * - `limits`: over the limits for processor time or output size, or endless without progress
 * - `file`: none of these, so the bytes of the file
 */
export type MediaCause =
  | "disk-full"
  | "permission"
  | "memory"
  | "processes"
  | "signal"
  | "sandbox"
  | "timeout"
  | "storage"
  | "unverified"
  | "limits"
  | "file";

/** Signals of a crashing decoder. The same file would crash it again. */
const crashes = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP"]);
/** Signals that the kernel sends at the limits for processor time and file size. */
const limitSignals = new Set(["SIGXCPU", "SIGXFSZ"]);
/** Exit code of ffmpeg after a signal that it handles itself, and for EPERM. */
const ffmpegSignalled = 255;

/** System error texts in the C locale. */
const diskFull = /No space left on device|Disk quota exceeded/;
/** After damaged packets, decoders report EAGAIN instead of a missing thread. */
const eagain =
  /(?<!(decoding stream \S+|to decoder|Decoding error): )Resource temporarily unavailable/;
const messages: [RegExp, MediaCause][] = [
  [/Permission denied|Read-only file system/, "permission"],
  [/Input\/output error|Stale file handle|Transport endpoint is not connected/, "storage"],
  [eagain, "processes"],
  [/Too many open files|Cannot fork/, "processes"],
  [/^(bwrap|unshare|setpriv|prlimit|nice|sh): /m, "sandbox"],
];
const noMemory = /Cannot allocate memory|Failed to allocate|out of memory/i;

/** Finds the cause of a failed run. @param result result of a run that didn't exit with 0. */
export function findCause(result: RunResult): MediaCause {
  const { killed, signal, exitCode, stderr } = result;
  if (killed === "timeout" || killed === "hung") return "timeout";
  if (killed === "memory") return "memory";
  if (killed !== null) return "limits";
  if (diskFull.test(stderr)) return "disk-full";
  if (limitSignals.has(signal ?? "")) return "limits";
  const isSignalled = signal !== null || exitCode === ffmpegSignalled;
  if (isSignalled && result.isOutOfCpuTime) return "limits";
  if (signal !== null) return crashes.has(signal) ? "file" : "signal";
  if (noMemory.test(stderr)) return "memory";
  const told = messages.find(([pattern]) => pattern.test(stderr));
  if (told !== undefined) return told[1];
  if (exitCode === ffmpegSignalled && !stderr.includes("Operation not permitted")) return "signal";
  return "file";
}

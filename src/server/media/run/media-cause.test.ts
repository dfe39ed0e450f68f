import { expect, test } from "vitest";
import { findCause } from "./media-cause.ts";
import { isFileFailure, MediaProcessError } from "./media-process-error.ts";
import type { RunResult } from "./run-process.ts";

const failed: RunResult = {
  exitCode: 1,
  signal: null,
  isOutOfCpuTime: false,
  killed: null,
  stdout: Buffer.alloc(0),
  stderr: "",
  stderrLineCount: 0,
  usage: { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 },
};

test.each<[string, Partial<RunResult>, string]>([
  ["a full disk", { stderr: "av_interleaved_write_frame(): No space left on device" }, "disk-full"],
  ["a quota", { stderr: "out.mp4: Disk quota exceeded" }, "disk-full"],
  ["EACCES", { stderr: "/data/source: Permission denied" }, "permission"],
  ["EAGAIN", { stderr: "Error opening encoder: Resource temporarily unavailable" }, "processes"],
  ["EMFILE", { stderr: "v360.mp4: Too many open files" }, "processes"],
  ["ENOMEM", { stderr: "Error: Cannot allocate memory" }, "memory"],
  ["a kill at the memory limit", { killed: "memory", exitCode: null }, "memory"],
  ["the out-of-memory killer", { exitCode: null, signal: "SIGKILL" }, "signal"],
  ["a stop", { exitCode: 255 }, "signal"],
  ["a time-out", { killed: "timeout", exitCode: null }, "timeout"],
  ["no progress", { killed: "stalled", exitCode: null }, "limits"],
  ["processor time", { exitCode: null, signal: "SIGXCPU" }, "limits"],
  ["a failing disk", { stderr: "source: Input/output error" }, "storage"],
  ["a sandbox that cannot start", { stderr: "bwrap: Can't mount proc" }, "sandbox"],
  ["a missing tool", { exitCode: 127, stderr: "prlimit: failed to execute ffmpeg" }, "sandbox"],
  ["a crash", { exitCode: null, signal: "SIGSEGV" }, "file"],
  ["damaged bytes", { stderr: "Invalid data found when processing input" }, "file"],
  [
    "damaged AV1 packets",
    { stderr: "Error while decoding stream #0:0: Resource temporarily unavailable" },
    "file",
  ],
  [
    "damaged AV1 packets in ffmpeg 7",
    { stderr: "Error submitting packet to decoder: Resource temporarily unavailable" },
    "file",
  ],
])("finds the cause of %s", (_name, result, cause) => {
  expect(findCause({ ...failed, ...result })).toBe(cause);
});

test.each<[string, Partial<RunResult>, boolean]>([
  ["damaged bytes", { stderr: "Invalid data found when processing input" }, true],
  ["more memory than planned", { killed: "memory", exitCode: null }, true],
  ["memory that the machine refuses", { stderr: "Cannot allocate memory" }, false],
  ["a permission", { stderr: "source: Permission denied" }, false],
])("decides whether %s lets a step continue", (_name, result, expected) => {
  expect(isFileFailure(new MediaProcessError("copy", { ...failed, ...result }))).toBe(expected);
});

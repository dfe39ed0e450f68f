import { describe, expect, it } from "vitest";
import { AppError } from "#server/lib/app-error.ts";
import { findOutsideCause } from "./failure-causes.ts";
import {
  InterruptedError,
  MediaProcessError,
  UnverifiedOutputError,
} from "./media-process-error.ts";
import type { RunResult } from "./run-process.ts";

const ended = (about: Partial<RunResult>): RunResult => ({
  exitCode: 1,
  signal: null,
  killed: null,
  isOutOfCpuTime: false,
  stdout: Buffer.alloc(0),
  stderr: "",
  stderrLineCount: 0,
  usage: { cpuS: 1, peakRssBytes: 0, peakAddressBytes: 0, wallS: 1 },
  ...about,
});
const says = (stderr: string) => new MediaProcessError("ladder", ended({ stderr }));
const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error("failed"), { code, ...more });

describe("a cause outside of the file", () => {
  it.each([
    ["storage full", withCode("ENOSPC")],
    ["storage full", withCode("53100")],
    ["storage full", says("av_interleaved_write_frame(): No space left on device")],
    ["storage full", new AppError("storage_full", "full")],
    ["source missing", new AppError("not_found", "File not found.")],
    ["database", withCode("57P01")],
    ["database", withCode("53300")],
    ["permission", withCode("EACCES")],
    ["permission", says("file:/data/sources/1: Permission denied")],
    ["storage", withCode("EIO")],
    ["storage", withCode("EROFS")],
    ["storage", withCode("ENOENT", { syscall: "mkdir" })],
    ["storage", new AppError("storage_unwritable", "read-only")],
    ["tools", withCode("ENOENT", { syscall: "spawn ffmpeg" })],
    ["tools", says("ffmpeg: error while loading shared libraries: libx264.so.164")],
    ["processes", withCode("EAGAIN", { syscall: "spawn ffmpeg" })],
    ["processes", says("pthread_create() failed: Resource temporarily unavailable")],
    ["processes", withCode("EMFILE")],
    ["memory", withCode("ENOMEM")],
    ["memory", new MediaProcessError("ladder", ended({ killed: "memory" }))],
    ["memory", says("Cannot allocate memory")],
    ["time-out", new InterruptedError("scan", ended({ killed: "timeout" }))],
    ["time-out", new MediaProcessError("ladder", ended({ killed: "hung" }))],
    ["interrupted", new InterruptedError("scan", ended({ signal: "SIGKILL" }))],
    ["unverified", new UnverifiedOutputError("v360.mp4", "it lacks 790,643 bytes", false)],
    ["storage full", new UnverifiedOutputError("v360.mp4", "it lacks 790,643 bytes", true)],
    ["unreadable", says("file:/data/sources/1: Input/output error")],
    ["interrupted", new AppError("unavailable", "The storage does not respond.")],
  ])("is recognized: %s (%#)", (name, error) => {
    expect(findOutsideCause(error)?.name).toBe(name);
    // The cause is found at any depth of wrapped errors.
    const refusal = new AppError("unusable_video", "The file is damaged.", { cause: error });
    expect(findOutsideCause(new Error("a step failed", { cause: refusal }))?.name).toBe(name);
  });

  it.each([
    new AppError("unusable_video", "The file is damaged."),
    says("Invalid data found when processing input"),
    says("Error while decoding: Operation not permitted"),
    new MediaProcessError("quick", ended({ signal: "SIGSEGV", exitCode: null })),
    new MediaProcessError("quick", ended({ killed: "stalled" })),
    new Error("no rendition to make a storyboard from"),
    // A tool that reports success without an output.
    withCode("ENOENT", { syscall: "stat" }),
  ])("finds no cause if the file explains the failure (%#)", (error) => {
    expect(findOutsideCause(error)).toBeNull();
  });
});

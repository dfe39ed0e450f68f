import { AppError } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { RunLimits } from "../facts/process-limits.ts";
import type { ColorTables } from "./color-tables.ts";
import { InterruptedError, isInterrupted, MediaProcessError } from "./media-process-error.ts";
import type { ProcessRunner, RunResult } from "./run-process.ts";

/** Parses the `key=value` lines of `-progress pipe:1` from chunks of any size. */
export function createProgressReader(onOutTime?: (outTimeS: number) => void) {
  let pending = "";
  let outTimeS = 0;
  const seen: Record<string, string> = {};

  return {
    add(chunk: Buffer): void {
      pending += chunk.toString("latin1");
      const lines = pending.split("\n");
      pending = (lines.pop() ?? "").slice(-1000);
      for (const line of lines) {
        const [key, value] = line.split("=");
        if (key === undefined || value === undefined) continue;
        if (key === "frame" || key === "out_time_us" || key === "total_size") seen[key] = value;
        if (key !== "out_time_us") continue;
        const reported = Number(value) / 1e6;
        if (!Number.isFinite(reported) || reported <= outTimeS) continue;
        outTimeS = reported;
        onOutTime?.(outTimeS);
      }
    },
    /** Seconds of output written so far. */
    outTimeS: (): number => outTimeS,
    /** Returns a value that changes whenever the tool makes progress. */
    mark: (): string => `${seen["frame"]}/${seen["out_time_us"]}/${seen["total_size"]}`,
  };
}

interface FfmpegJob {
  /** Name in errors and logs, such as "ladder". */
  name: string;
  /** All arguments, from the guards before `-i` to the outputs. */
  args: string[];
  cwd: string;
  /** Files that it reads, as written in the arguments. */
  inputs?: readonly string[];
  /** Folder it writes to. */
  outputDir?: string;
  limits: RunLimits;
  signal?: AbortSignal;
  /** True if a user is waiting for the result. */
  isUrgent?: boolean;
  /** True if the video already plays, so that other videos go first. */
  isLowPriority?: boolean;
  /** Seconds of output so far. */
  onOutTime?: (outTimeS: number) => void;
  /** True to collect standard output. There is then no channel for progress. */
  wantsStdout?: boolean;
}

interface FfprobeJob {
  name: string;
  args: string[];
  cwd: string;
  /** Files that it reads, as written in the arguments. */
  inputs?: readonly string[];
  limits: RunLimits;
  signal?: AbortSignal;
  /** True if a user is waiting for the result. */
  isUrgent?: boolean;
  onStdout?: (chunk: Buffer) => void;
  maxStdoutBytes?: number;
}

/**
 * By default, the tools start a thread per processor for each decoder, encoder and filter graph. On
 * a large machine, their stacks exceed the address space of `RunLimits`. With this option, the
 * tools start only the threads that arguments ask for.
 */
const boundedThreads = ["-cpucount", "1"];

/** A tool that uses this much processor time without progress is stopped. */
const stallCpuS = 180;
/**
 * A tool that makes no progress for this time is stopped. The time is long, because a busy machine
 * gives it little processor time.
 */
const stallWallS = 1200;

export interface ToolPaths {
  ffmpeg: string;
  ffprobe: string;
}

export function createMediaTools(deps: {
  paths: ToolPaths;
  runner: ProcessRunner;
  colorTables: Pick<ColorTables, "listIn">;
  logger: Logger;
}) {
  const log = (name: string, result: RunResult): void =>
    deps.logger.debug({ media: name, ...result.usage, exit: result.exitCode }, "media tool ran");

  /**
   * @throws MediaProcessError if it fails; AppError storage_full if the disk is full;
   * InterruptedError if it ended for an external reason.
   */
  async function runFfmpeg(job: FfmpegJob): Promise<RunResult> {
    const progress = createProgressReader(job.onOutTime);
    let mark = "";
    let markedAt = performance.now();
    let markedCpuS = 0;
    const tables = await deps.colorTables.listIn(job.args);
    const result = await deps.runner.run({
      program: deps.paths.ffmpeg,
      args: [
        ...["-nostdin", "-hide_banner", "-v", "error", "-y"],
        ...[...boundedThreads, "-filter_complex_threads", "2"],
        ...(job.wantsStdout === true
          ? []
          : ["-nostats", "-progress", "pipe:1", "-stats_period", "0.5"]),
        ...job.args,
      ],
      cwd: job.cwd,
      inputs: [...(job.inputs ?? []), ...tables],
      outputDir: job.outputDir,
      limits: job.limits,
      signal: job.signal,
      isUrgent: job.isUrgent,
      isLowPriority: job.isLowPriority,
      ...(job.wantsStdout === true
        ? {}
        : {
            onStdout: (chunk: Buffer) => progress.add(chunk),
            findStall: (cpuS: number) => {
              if (progress.mark() !== mark) {
                mark = progress.mark();
                markedAt = performance.now();
                markedCpuS = cpuS;
              }
              const waitedS = (performance.now() - markedAt) / 1000;
              if (cpuS - markedCpuS > stallCpuS) return "stalled";
              return waitedS > stallWallS ? "hung" : null;
            },
          }),
    });
    log(job.name, result);
    if (/No space left on device|Disk quota exceeded/.test(result.stderr)) {
      throw new AppError("storage_full", "Storage is full. Free up some space and try again.");
    }
    if (isInterrupted(result)) throw new InterruptedError(job.name, result);
    if (result.exitCode !== 0) throw new MediaProcessError(job.name, result);
    return result;
  }

  return {
    ffmpeg: runFfmpeg,

    /**
     * Also resolves if ffprobe rejects the file, so that the caller can read the reason.
     * @throws InterruptedError.
     */
    async ffprobe(job: FfprobeJob): Promise<RunResult> {
      const result = await deps.runner.run({
        program: deps.paths.ffprobe,
        args: ["-hide_banner", "-v", "error", ...boundedThreads, ...job.args],
        cwd: job.cwd,
        inputs: job.inputs,
        limits: job.limits,
        signal: job.signal,
        isUrgent: job.isUrgent,
        onStdout: job.onStdout,
        maxStdoutBytes: job.maxStdoutBytes,
      });
      log(job.name, result);
      if (isInterrupted(result)) throw new InterruptedError(job.name, result);
      return result;
    },
  };
}

export type MediaTools = ReturnType<typeof createMediaTools>;

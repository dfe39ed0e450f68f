import { constants } from "node:os";
import { createBoundedText } from "./bounded-text.ts";
import { maxProcesses, type ProcessLimits } from "./sandbox/limit-command.ts";
import { measureFolder, removeOthers } from "./output-folder.ts";
import { readProcessUsage } from "./process-usage.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startSandboxed } from "./sandbox/start-sandboxed.ts";

export interface RunRequest {
  program: string;
  args: string[];
  /** Working directory. The tool sees an empty one unless it is the output folder. */
  cwd: string;
  /** Files that the tool reads. Sandboxes hide all others. */
  inputs?: readonly string[];
  /** Folder that it writes to. Without one, it can't write anywhere. */
  outputDir?: string;
  limits: ProcessLimits & {
    /** Real time after which the process is killed. */
    wallS: number;
    /** Resident memory above which the process is killed. */
    rssBytes: number;
  };
  signal?: AbortSignal;
  /** Receives standard output. Without it, output is collected up to `maxStdoutBytes`. */
  onStdout?: (chunk: Buffer) => void;
  maxStdoutBytes?: number;
  /** True if a user is waiting for the result. The process then runs at normal priority. */
  isUrgent?: boolean;
  /** True if nothing waits for the result. The process then runs after other background work. */
  isLowPriority?: boolean;
  /**
   * Called several times a second with the processor time so far. If it returns a reason, the
   * process is ended.
   */
  findStall?: (cpuS: number) => "stalled" | "hung" | null;
}

/**
 * Reason for killing a process. "output": it wrote too much to standard output. "disk": it wrote
 * too much to the output folder. "stalled": it worked without progress. "hung": it did nothing.
 * "processes": this run had too many.
 */
type KillReason =
  | "timeout"
  | "memory"
  | "processes"
  | "output"
  | "disk"
  | "stalled"
  | "hung"
  | "aborted";

export interface RunResult {
  /** Null when a signal ended the process. */
  exitCode: number | null;
  /** Signal that terminated the process, whoever sent it; "unknown" if it has no name. */
  signal: string | null;
  /**
   * True if the kernel reported it, or if the process used about its maximum processor time. ffmpeg
   * handles that signal and exits by itself.
   */
  isOutOfCpuTime: boolean;
  /** Reason why the runner killed the process. Null if it ended by itself or at a kernel limit. */
  killed: KillReason | null;
  stdout: Buffer;
  /** Start and end of standard error. */
  stderr: string;
  stderrLineCount: number;
  /** Sampled five times a second, so short runs report less than they used. */
  usage: { cpuS: number; peakRssBytes: number; peakAddressBytes: number; wallS: number };
}

const sampleMs = 200;
const defaultMaxStdoutBytes = 8 * 1024 * 1024;

const toolEnv = (cwd: string) => ({
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  LC_ALL: "C",
  HOME: cwd,
  TMPDIR: cwd,
  AV_LOG_FORCE_NOCOLOR: "1",
  // Every glibc arena reserves 64 MB of the limited address space.
  MALLOC_ARENA_MAX: "2",
});

/** Creates the only component of the media layer that starts processes. */
export function createProcessRunner(sandbox: Sandbox) {
  return {
    /** Also resolves if the process fails. Rejects if it can't start or is aborted. */
    async run(request: RunRequest): Promise<RunResult> {
      request.signal?.throwIfAborted();
      const outputDir = request.outputDir ?? null;
      const command = await sandbox.wrap({
        program: request.program,
        args: request.args,
        cwd: request.cwd,
        inputs: request.inputs ?? [],
        outputDir,
        limits: request.limits,
        isUrgent: request.isUrgent === true,
        isLowPriority: request.isLowPriority === true,
      });
      const outputBytesBefore = outputDir === null ? 0 : (await measureFolder(outputDir)).bytes;
      request.signal?.throwIfAborted();
      const result = await new Promise<RunResult>((resolve, reject) => {
        const startedAt = performance.now();
        const { child, ...pipes } = startSandboxed(command, {
          // Inside a sandbox, the tool changes to the folder with this name.
          cwd: sandbox.level === "none" ? request.cwd : "/",
          env: toolEnv(request.cwd),
        });

        const stderr = createBoundedText();
        const stdout: Buffer[] = [];
        let stdoutBytes = 0;
        let killed: KillReason | null = null;
        const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };
        let sampledAt = startedAt;

        const kill = (reason: KillReason): void => {
          killed ??= reason;
          if (child.pid === undefined || child.exitCode !== null) return;
          try {
            process.kill(-child.pid, "SIGKILL");
          } catch {
            // The process has already ended.
          }
        };
        const onAbort = (): void => kill("aborted");
        request.signal?.addEventListener("abort", onAbort, { once: true });

        const sample = async (): Promise<void> => {
          if (performance.now() - startedAt > request.limits.wallS * 1000) kill("timeout");
          const stall = request.findStall?.(usage.cpuS) ?? null;
          if (stall !== null) kill(stall);
          if (child.pid === undefined) return;
          const [now, output] = await Promise.all([
            readProcessUsage(child.pid),
            outputDir === null ? null : measureFolder(outputDir),
          ]);
          const writtenBytes = (output?.bytes ?? 0) - outputBytesBefore;
          if (writtenBytes > request.limits.outputBytes) kill("disk");
          if (now === null) return;
          sampledAt = performance.now();
          usage.cpuS = Math.max(usage.cpuS, now.cpuS);
          usage.peakRssBytes = Math.max(usage.peakRssBytes, now.peakRssBytes);
          usage.peakAddressBytes = Math.max(usage.peakAddressBytes, now.peakAddressBytes);
          if (now.rssBytes > request.limits.rssBytes) kill("memory");
          if (now.tasks > maxProcesses) kill("processes");
        };
        let isSampling = false;
        const timer = setInterval(() => {
          if (isSampling) return;
          isSampling = true;
          void sample().finally(() => {
            isSampling = false;
          });
        }, sampleMs);

        pipes.stdout.on("data", (chunk: Buffer) => {
          if (request.onStdout !== undefined) return request.onStdout(chunk);
          stdoutBytes += chunk.length;
          if (stdoutBytes > (request.maxStdoutBytes ?? defaultMaxStdoutBytes)) kill("output");
          else stdout.push(chunk);
        });
        pipes.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));

        const finish = (): void => {
          clearInterval(timer);
          request.signal?.removeEventListener("abort", onAbort);
        };
        child.on("error", (error) => {
          finish();
          reject(error);
        });
        child.on("close", (exitCode, ownSignal) => {
          finish();
          if (killed === "aborted") return reject(request.signal?.reason);
          usage.wallS = (performance.now() - startedAt) / 1000;
          const signal = ownSignal ?? findSignal(sandbox, exitCode);
          // Samples are late on a busy machine, so the tool may have worked since the last one.
          const maxCpuS = usage.cpuS + (performance.now() - sampledAt) / 1000;
          resolve({
            exitCode: signal === null ? exitCode : null,
            signal,
            isOutOfCpuTime: signal === "SIGXCPU" || maxCpuS >= request.limits.cpuS * 0.95,
            killed,
            stdout: Buffer.concat(stdout),
            stderr: stderr.text(),
            stderrLineCount: stderr.lineCount(),
            usage,
          });
        });
      });
      if (outputDir !== null && (await removeOthers(await measureFolder(outputDir)))) {
        throw new Error(
          `${request.program} created something other than files in its output folder`,
        );
      }
      return result;
    },
  };
}

export type ProcessRunner = ReturnType<typeof createProcessRunner>;

const signalNames = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** A program that waits for the media tool reports a signal as 128 plus its number. */
function findSignal(sandbox: Sandbox, exitCode: number | null): string | null {
  if (sandbox.level === "none" || exitCode === null) return null;
  if (exitCode <= 128 || exitCode > 128 + 31) return null;
  return signalNames.get(exitCode - 128) ?? "unknown";
}

import { constants } from "node:os";
import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import path, { basename } from "node:path";
import type { Tracing } from "#server/lib/tracing/tracing.ts";
import { maxProcesses, type ProcessLimits } from "./sandbox/limit-command.ts";
import { readProcessUsage } from "./process-usage.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { startSandboxed } from "./sandbox/start-sandboxed.ts";

interface FolderUse {
  bytes: number;
  /** Entries that are neither files nor folders: links, pipes, sockets, devices. */
  others: string[];
}

/** Maximum number of entries. If there are more, the size counts as infinite. */
const maxEntries = 20_000;

/**
 * Measures a tool's output so far. Entries may appear and vanish in the meantime. Doesn't follow
 * links.
 */
export async function measureFolder(folder: string): Promise<FolderUse> {
  const use: FolderUse = { bytes: 0, others: [] };
  const folders = [folder];
  let count = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      count += 1;
      if (count > maxEntries) return { ...use, bytes: Infinity };
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if (!entry.isFile()) use.others.push(file);
      else {
        const info = await lstat(file).catch(() => null);
        // A sparse file may be longer than the space it occupies.
        use.bytes += info === null ? 0 : Math.min(info.size, info.blocks * 512);
      }
    }
  }
  return use;
}

/**
 * Removes entries that media tools never create, because the server would follow a link or block on
 * a pipe. @returns whether there were any.
 */
async function removeOthers(use: FolderUse): Promise<boolean> {
  for (const file of use.others) await rm(file, { force: true });
  return use.others.length > 0;
}

/**
 * Stores the start and end of a text stream and counts its lines, because a hostile file can cause
 * endless errors.
 */
export function createBoundedText(headBytes = 16 * 1024, tailBytes = 48 * 1024) {
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let isCut = false;
  let lines = 0;

  return {
    add(chunk: Buffer): void {
      for (const byte of chunk) if (byte === 10) lines += 1;
      let rest = chunk;
      if (headLength < headBytes) {
        const part = rest.subarray(0, headBytes - headLength);
        head.push(Buffer.from(part));
        headLength += part.length;
        rest = rest.subarray(part.length);
      }
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailLength += rest.length;
      if (tailLength > tailBytes * 2) {
        const kept = Buffer.concat(tail).subarray(-tailBytes);
        tail = [Buffer.from(kept)];
        tailLength = kept.length;
        isCut = true;
      }
    },
    text(): string {
      const end = Buffer.concat(tail).subarray(-tailBytes);
      return (
        Buffer.concat(head).toString("utf8") + (isCut ? "\n[...]\n" : "") + end.toString("utf8")
      );
    },
    lineCount: (): number => lines,
  };
}

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

/** Wraps the runner with a trace span for each run of a media tool. */
export const traceRuns = (tracing: Tracing, runner: ProcessRunner): ProcessRunner => ({
  run(request) {
    const name = basename(request.program);
    const attributes = { "process.executable.name": name };
    return tracing.run({ name, kind: "internal", attributes }, () => runner.run(request));
  },
});

import { spawn } from "node:child_process";
import { createBoundedText } from "./bounded-text.ts";
import { readProcessUsage } from "./process-usage.ts";
import type { ProcessLimits, Sandbox } from "./sandbox.ts";

export interface RunRequest {
  program: string;
  args: string[];
  /** Working directory; it holds only files that this run may see. */
  cwd: string;
  limits: ProcessLimits & {
    /** Real time after which the process is killed. */
    wallS: number;
    /** Resident memory beyond which the process is killed. */
    rssBytes: number;
  };
  signal?: AbortSignal;
  /** Receives standard output; without it, it is collected up to `maxStdoutBytes`. */
  onStdout?: (chunk: Buffer) => void;
  maxStdoutBytes?: number;
  /** A user waits for the result: run at normal priority. */
  isUrgent?: boolean;
  /** Called several times a second with the processor time so far; true ends the process. */
  isStalled?: (cpuS: number) => boolean;
}

type KillReason = "timeout" | "memory" | "output" | "stalled" | "aborted";

export interface RunResult {
  /** Null when a signal ended the process. */
  exitCode: number | null;
  /** Why the runner killed it; null when it ended on its own or by a kernel limit. */
  killed: KillReason | null;
  stdout: Buffer;
  /** Beginning and end of standard error. */
  stderr: string;
  stderrLineCount: number;
  /** Sampled five times a second: short runs report less than they used. */
  usage: { cpuS: number; peakRssBytes: number; peakAddressBytes: number; wallS: number };
}

export interface ProcessRunner {
  /** Also resolves when the process fails; rejects when it cannot start or is aborted. */
  run(request: RunRequest): Promise<RunResult>;
}

const sampleMs = 200;
const defaultMaxStdoutBytes = 8 * 1024 * 1024;

/** The only place of the media part that starts processes. */
export function createProcessRunner(sandbox: Sandbox): ProcessRunner {
  return {
    run: (request) =>
      new Promise<RunResult>((resolve, reject) => {
        request.signal?.throwIfAborted();
        const startedAt = performance.now();
        const command = sandbox.wrap(
          request.program,
          request.args,
          request.limits,
          request.isUrgent === true,
        );
        const child = spawn(command.program, command.args, {
          cwd: request.cwd,
          // A process group of its own: a kill also reaches its children.
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
          env: {
            PATH: process.env["PATH"] ?? "/usr/bin:/bin",
            LC_ALL: "C",
            HOME: request.cwd,
            TMPDIR: request.cwd,
            AV_LOG_FORCE_NOCOLOR: "1",
            // Every glibc arena reserves 64 MB of the limited address space.
            MALLOC_ARENA_MAX: "2",
          },
        });

        const stderr = createBoundedText();
        const stdout: Buffer[] = [];
        let stdoutBytes = 0;
        let killed: KillReason | null = null;
        const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };

        const kill = (reason: KillReason): void => {
          killed ??= reason;
          if (child.pid === undefined || child.exitCode !== null) return;
          try {
            process.kill(-child.pid, "SIGKILL");
          } catch {
            // It has already ended.
          }
        };
        const onAbort = (): void => kill("aborted");
        request.signal?.addEventListener("abort", onAbort, { once: true });

        const sample = async (): Promise<void> => {
          if (performance.now() - startedAt > request.limits.wallS * 1000) kill("timeout");
          if (request.isStalled?.(usage.cpuS) === true) kill("stalled");
          if (child.pid === undefined) return;
          const now = await readProcessUsage(child.pid);
          if (now === null) return;
          usage.cpuS = Math.max(usage.cpuS, now.cpuS);
          usage.peakRssBytes = Math.max(usage.peakRssBytes, now.peakRssBytes);
          usage.peakAddressBytes = Math.max(usage.peakAddressBytes, now.peakAddressBytes);
          if (now.rssBytes > request.limits.rssBytes) kill("memory");
        };
        const timer = setInterval(() => void sample(), sampleMs);

        child.stdout.on("data", (chunk: Buffer) => {
          if (request.onStdout !== undefined) return request.onStdout(chunk);
          stdoutBytes += chunk.length;
          if (stdoutBytes > (request.maxStdoutBytes ?? defaultMaxStdoutBytes)) kill("output");
          else stdout.push(chunk);
        });
        child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));

        const finish = (): void => {
          clearInterval(timer);
          request.signal?.removeEventListener("abort", onAbort);
        };
        child.on("error", (error) => {
          finish();
          reject(error);
        });
        child.on("close", (exitCode) => {
          finish();
          if (killed === "aborted") return reject(request.signal?.reason);
          usage.wallS = (performance.now() - startedAt) / 1000;
          resolve({
            exitCode,
            killed,
            stdout: Buffer.concat(stdout),
            stderr: stderr.text(),
            stderrLineCount: stderr.lineCount(),
            usage,
          });
        });
      }),
  };
}

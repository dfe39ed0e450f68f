import { spawn, type ChildProcess } from "node:child_process";
import { Writable, type Readable } from "node:stream";
import type { SandboxCommand } from "./sandbox-command.ts";

export interface StartedProcess {
  child: ChildProcess;
  stdout: Readable;
  stderr: Readable;
}

/** Starts a wrapped program without input, in a separate process group. */
export function startSandboxed(
  command: SandboxCommand,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): StartedProcess {
  const child = spawn(command.program, command.args, {
    ...options,
    // Killing the group also ends its children.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...(command.seccompFilter === null ? [] : ["pipe" as const])],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("a child process has no pipes");
  const filter = child.stdio[3];
  if (filter instanceof Writable) {
    // Ignored, because a program that couldn't start doesn't read it.
    filter.on("error", () => undefined);
    filter.end(command.seccompFilter);
  }
  return { child, stdout, stderr };
}

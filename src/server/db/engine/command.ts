import { spawn } from "node:child_process";

export interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/** Runs a short command and returns its exit code and output. Never rejects. */
export function runCommand(
  command: Command,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command.file, command.args, {
      ...options,
      ...identity(command),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => resolve({ code: -1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Returns only the ids that are set, because `spawn` rejects an undefined uid. */
export function identity(command: Command): { uid?: number; gid?: number } {
  return {
    ...(command.uid === undefined ? {} : { uid: command.uid }),
    ...(command.gid === undefined ? {} : { gid: command.gid }),
  };
}

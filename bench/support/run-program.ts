import { spawn } from "node:child_process";

/** Runs a program to its end and returns its standard error. Throws if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd?: string,
): Promise<string> {
  const lines: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (chunk: Buffer) => lines.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const text = Buffer.concat(lines).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`${program} ended with ${code}: ${text.slice(-2000)}`));
    });
  });
}

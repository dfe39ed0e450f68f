import { spawn } from "node:child_process";

/** Whether a command can be started and ends with 0. */
export async function runsWell(command: string[]): Promise<boolean> {
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", timeout: 5000 });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Runs `wrk` (Debian's package) and returns its report. */
export async function runWrk(args: readonly string[]): Promise<string> {
  try {
    return (await exec("wrk", args)).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error("This bench needs wrk: apt-get install wrk", { cause: error });
    }
    throw error;
  }
}

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode, OperatorError } from "#server/lib/app-error.ts";

export interface LoadResult {
  requests: number;
  requestsPerS: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

/** JSON strings of paths are strings of Lua as well. */
const randomPathScript = (paths: readonly string[]) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(", ")} }
math.randomseed(1)
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
`;

const toMs = (text = ""): number => {
  const [, number, unit = "ms"] = /([\d.]+)(us|ms|s)/.exec(text) ?? [];
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1);
};

/**
 * Loads one address with `wrk` (Debian's package): 1 thread, 32 connections, some seconds. The
 * requests count as a bot's.
 * @param paths random paths, one per request, instead of the address's own.
 */
export async function load(
  url: string,
  seconds: number,
  paths?: readonly string[],
): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-wrk-"));
  try {
    const script = join(folder, "random-path.lua");
    if (paths !== undefined) await writeFile(script, randomPathScript(paths));
    const scriptArgs = paths === undefined ? [] : ["-s", script];
    const args = ["-t1", "-c32", `-d${seconds}s`, "--latency", ...scriptArgs, url];
    const { stdout } = await promisify(execFile)("wrk", args);
    const find = (pattern: RegExp) => pattern.exec(stdout)?.[1];
    return {
      requests: Number(find(/(\d+) requests in/) ?? 0),
      requestsPerS: Number(find(/Requests\/sec:\s+([\d.]+)/) ?? 0),
      p50Ms: toMs(find(/50%\s+(\S+)/)),
      p99Ms: toMs(find(/99%\s+(\S+)/)),
      failures: Number(find(/Non-2xx or 3xx responses:\s+(\d+)/) ?? 0),
    };
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new OperatorError("This bench needs wrk: apt-get install wrk", { cause: error });
  } finally {
    await rm(folder, { recursive: true });
  }
}

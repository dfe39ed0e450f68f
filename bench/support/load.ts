import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWrk } from "./wrk.ts";

export interface LoadResult {
  requests: number;
  requestsPerS: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

async function createScratchFolder() {
  const path = await mkdtemp(join(tmpdir(), "kinora-wrk-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** JSON strings of paths are strings of Lua as well. */
const randomPathScript = (paths: readonly string[]) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(", ")} }
math.randomseed(1)
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
`;

const toMs = (text: string): number => {
  const match = /([\d.]+)(us|ms|s)/.exec(text);
  if (match === null) return Number.NaN;
  const factor = { us: 0.001, ms: 1, s: 1000 }[match[2] ?? "ms"] ?? 1;
  return Number(match[1]) * factor;
};

/**
 * Loads one address with `wrk` (Debian's package): 1 thread, 32 connections, some seconds.
 * @param paths random paths, one per request, instead of the address's own.
 * @param userAgent if absent, requests count as a bot's.
 */
export async function load(
  url: string,
  seconds = 5,
  paths?: readonly string[],
  userAgent?: string,
): Promise<LoadResult> {
  await using folder = await createScratchFolder();
  const script = join(folder.path, "random-path.lua");
  if (paths !== undefined) await writeFile(script, randomPathScript(paths));
  const scriptArgs = paths === undefined ? [] : ["-s", script];
  const agentArgs = userAgent === undefined ? [] : ["-H", `User-Agent: ${userAgent}`];
  const args = ["-t1", "-c32", `-d${seconds}s`, "--latency", ...agentArgs, ...scriptArgs, url];
  const stdout = await runWrk(args);
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    requests: number(/(\d+) requests in/),
    requestsPerS: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: toMs(/50%\s+(\S+)/.exec(stdout)?.[1] ?? ""),
    p99Ms: toMs(/99%\s+(\S+)/.exec(stdout)?.[1] ?? ""),
    failures: number(/Non-2xx or 3xx responses:\s+(\d+)/),
  };
}

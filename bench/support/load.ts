import { execFile } from "node:child_process";
import { promisify } from "node:util";

const exec = promisify(execFile);

export interface LoadResult {
  requestsPerS: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

const toMs = (text: string): number => {
  const match = /([\d.]+)(us|ms|s)/.exec(text);
  if (match === null) return Number.NaN;
  const factor = { us: 0.001, ms: 1, s: 1000 }[match[2] ?? "ms"] ?? 1;
  return Number(match[1]) * factor;
};

/** Loads one address with `wrk` (Debian's package): 1 thread, 32 connections, some seconds. */
export async function load(url: string, seconds = 5): Promise<LoadResult> {
  let stdout: string;
  try {
    ({ stdout } = await exec("wrk", ["-t1", "-c32", `-d${seconds}s`, "--latency", url]));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error("This bench needs wrk: apt-get install wrk", { cause: error });
    }
    throw error;
  }
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    requestsPerS: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: toMs(/50%\s+(\S+)/.exec(stdout)?.[1] ?? ""),
    p99Ms: toMs(/99%\s+(\S+)/.exec(stdout)?.[1] ?? ""),
    failures: number(/Non-2xx or 3xx responses:\s+(\d+)/),
  };
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runWrk } from "./wrk.ts";

export interface PacedRequest {
  method: "GET" | "POST";
  path: string;
  cookie?: string;
  /** Address of the client, for a server that trusts its proxy. */
  address?: string;
  body?: object;
}

const pacedResult = z.object({
  requests: z.number(),
  perS: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  /** Responses outside 2xx and 3xx, and broken connections. */
  failures: z.number(),
});
export type PacedResult = z.infer<typeof pacedResult>;

/**
 * `delay` follows one schedule for all connections. Late requests are sent immediately, up to a
 * backlog of 0.1 s.
 */
const script = (file: string, perS: number) => `
local ffi = require("ffi")
ffi.cdef[[
  typedef struct { long s; long ns; } moment;
  int clock_gettime(int clock, moment *at);
]]
local at = ffi.new("moment")
local function nowMs()
  ffi.C.clock_gettime(1, at)
  return tonumber(at.s) * 1000 + tonumber(at.ns) / 1e6
end

local requests = {}
local sent = 0
local dueMs = 0

function init()
  for line in io.lines(${JSON.stringify(file)}) do
    local method, path, cookie, address, body = line:match("^(%S+)\\t(%S+)\\t(%S*)\\t(%S*)\\t(.*)$")
    local headers = { Host = wrk.headers["Host"] }
    if cookie ~= "" then headers["Cookie"] = cookie end
    if address ~= "" then headers["X-Forwarded-For"] = address end
    if method == "POST" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function delay()
  local now = nowMs()
  if dueMs < now - 100 then dueMs = now end
  local wait = dueMs - now
  dueMs = dueMs + ${1000 / perS}
  return wait > 0 and math.floor(wait + 0.5) or 0
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"perS":%.1f,"p50Ms":%.3f,"p95Ms":%.3f,"p99Ms":%.3f,"failures":%d}\\n',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(95) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;

/**
 * Sends these requests in order at a fixed rate, using `wrk` (Debian's package) in one thread. If
 * the rate is infinite, each connection sends its next request as soon as it has a response.
 */
export async function pacedLoad(
  url: string,
  options: {
    requests: readonly PacedRequest[];
    perS: number;
    seconds: number;
    connections: number;
  },
): Promise<PacedResult> {
  const { requests, perS, seconds, connections } = options;
  const folder = await mkdtemp(join(tmpdir(), "kinora-wrk-"));
  try {
    const lines = requests.map(({ method, path, cookie = "", address = "", body }) =>
      [method, path, cookie, address, body === undefined ? "" : JSON.stringify(body)].join("\t"),
    );
    await writeFile(join(folder, "requests"), `${lines.join("\n")}\n`);
    await writeFile(join(folder, "paced.lua"), script(join(folder, "requests"), perS));
    const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency"];
    const stdout = await runWrk([...args, "-s", join(folder, "paced.lua"), url]);
    return pacedResult.parse(JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? "{}"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

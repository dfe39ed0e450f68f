import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../reference/random.ts";
import { openConnection } from "../raw-request.ts";
import { toCurl, type Call } from "./call.ts";
import { judgeResponse } from "./judge-response.ts";
import { createCallMaker } from "./make-call.ts";
import { readOperations } from "./operations.ts";
import { judgeRawResponse, makeRawRequest } from "./raw-calls.ts";
import type { SeededSite } from "./seed-site.ts";
import { createSender, type Received } from "./send-call.ts";

export type Identity = "visitor" | "admin";

interface FuzzOptions {
  url: string;
  identity: Identity;
  calls: number;
  seed: number;
  site: SeededSite;
  /** Texts that not even an admin may receive, such as the path of the data folder. */
  secrets: readonly string[];
  /** Returns the `cookie` header of a new admin session. */
  signIn(): Promise<string>;
  onProgress?: (done: number) => void;
}

/** Problem with one operation and the first call that showed it. */
interface Finding {
  problems: string[];
  /** Number of calls with this problem. */
  count: number;
  /** Command that repeats the call, or the bytes of a raw request. */
  repeat: string;
  /** Start of the response. */
  received: string;
}

interface FuzzReport {
  /** Number of responses by status. */
  statuses: ReadonlyMap<number, number>;
  /** Operations without any successful response, as `METHOD path`. */
  neverSucceeded: string[];
  findings: Finding[];
}

/**
 * Number of concurrent calls. Fewer than the queue of password hashes holds, because it refuses
 * calls when it is full.
 */
const callsAtOnce = 8;
const rawEvery = 50;
/**
 * Milliseconds between the last call and the check of the site, for work that continues after a
 * call.
 */
const settleMs = 200;

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

function parseJson({ headers, text }: Received): unknown {
  if (headers["content-type"]?.includes("json") !== true || text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Sends calls that are drawn from the site's own OpenAPI document and judges every response. The
 * same seed draws the same calls, except for ids of new rows.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { url, identity, calls, seed, site, signIn, onProgress } = options;
  const isAdmin = identity === "admin";
  const document: unknown = await (await fetch(`${url}/api/openapi.json`)).json();
  const operations = readOperations(document);
  const random = createRandom(seed);
  const makeCall = createCallMaker(operations, site.known);
  const sender = createSender(url);
  const statuses = new Map<number, number>();
  const succeeded = new Set<string>();
  const findings = new Map<string, Finding>();
  let session = isAdmin ? await signIn() : "";
  let visitor = "";
  const secrets = [...options.secrets, ...(isAdmin ? [] : site.secrets)];

  function note(problems: string[], what: string, repeat: string, received: string): void {
    if (problems.length === 0) return;
    const key = `${what} ${problems.join()}`;
    const known = findings.get(key);
    if (known !== undefined) known.count += 1;
    else findings.set(key, { problems, count: 1, repeat, received: received.slice(0, 600) });
  }

  async function take(call: Call, received: Received | string, cookie: string): Promise<void> {
    const repeat = toCurl(url, {
      ...call,
      headers: cookie === "" ? call.headers : { ...call.headers, cookie },
    });
    if (typeof received === "string") return note([received], keyOf(call.operation), repeat, "");
    const { status, headers, text } = received;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    note(
      judgeResponse(call, received, secrets),
      keyOf(call.operation),
      repeat,
      `${status} ${text}`,
    );
    const { known } = site;
    for (const line of headers["set-cookie"] ?? []) {
      const pair = line.split(";")[0] ?? "";
      if (pair.startsWith("visitor=")) visitor = pair;
      // A sign-out or another sign-in ended the session.
      if (isAdmin && pair.startsWith("session=")) session = await signIn();
    }
    if (status >= 400) return;
    if (call.method === call.operation.method) succeeded.add(keyOf(call.operation));
    known.harvest(call.path, parseJson(received));
    const { location } = headers;
    if (location?.startsWith("/api/uploads/") === true) {
      known.add("uploads", location.slice("/api/uploads/".length));
    }
  }

  async function sendOne(call: Call): Promise<() => Promise<void>> {
    const isKnownVisitor = call.path.length % 3 > 0;
    const cookie = [session, isKnownVisitor ? visitor : ""]
      .filter((part) => part !== "")
      .join("; ");
    const received = await sender.send(call, cookie);
    return () => take(call, received, cookie);
  }

  async function sendRaw(text: string): Promise<() => Promise<void>> {
    const { socket, received } = openConnection(url);
    socket.end(Buffer.from(text, "latin1"));
    const back = await received;
    const problem = judgeRawResponse(back);
    return async () => note(problem === null ? [] : [problem], "raw", JSON.stringify(text), back);
  }

  for (let done = 0; done < calls; done += callsAtOnce) {
    // Draws calls in a fixed order, so that later values only depend on the seed.
    const batch = Array.from({ length: Math.min(callsAtOnce, calls - done) }, (_, index) =>
      (done + index) % rawEvery === rawEvery - 1
        ? sendRaw(makeRawRequest(random))
        : sendOne(makeCall(random)),
    );
    for (const settle of await Promise.all(batch)) await settle();
    onProgress?.(Math.min(calls, done + callsAtOnce));
  }
  sender.close();
  await delay(settleMs);
  note(await judgeSite(url, signIn), "site", `curl -i ${url}/healthz`, "");
  return {
    statuses,
    findings: [...findings.values()],
    neverSucceeded: operations.map(keyOf).filter((key) => !succeeded.has(key)),
  };
}

/**
 * @returns what is wrong with a site after the run. It must respond, and its admin must be able to
 * sign in.
 */
async function judgeSite(url: string, signIn: () => Promise<string>): Promise<string[]> {
  const problems: string[] = [];
  for (const path of ["/healthz", "/readyz", "/api/videos", "/api/settings/public"]) {
    const status = await fetch(url + path, { signal: AbortSignal.timeout(10_000) }).then(
      (response) => response.status,
      String,
    );
    if (status !== 200) problems.push(`after the run ${path} gives ${status}`);
  }
  const cookie = await signIn();
  const response = await fetch(`${url}/api/settings`, { headers: { cookie } });
  if (response.status !== 200) problems.push(`after the run the admin gets ${response.status}`);
  return problems;
}

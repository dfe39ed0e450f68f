import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorBody, errorStatus } from "#contract/errors.ts";
import type { Db } from "#server/db/connection.ts";
import { newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createClient, startTestApp, type TestApp } from "../app.ts";
import { makeAd } from "../factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "../factories/make-label.ts";
import { makeUser, testPassword } from "../factories/make-user.ts";
import { makeVideo } from "../factories/make-video.ts";
import { root } from "../harness/server-process.ts";
import { drawCall, readOperations, type Call } from "./draw-calls.ts";
import { createKnownValues, kindOf } from "./draw-values.ts";

type Received = Awaited<ReturnType<typeof sendCall>>;

/** Sends a call as it is. @throws Error if there is no response. */
async function sendCall(url: string, { method, path, headers, body }: Call) {
  const { hostname, port } = new URL(url);
  const sent = request({
    // A shared connection could end before its next call. The time is enough on a busy machine.
    ...{ agent: false, hostname, port, method, path, signal: AbortSignal.timeout(60_000) },
    headers: { ...(body && { "content-length": body.length }), ...headers },
  }).end(body ?? undefined);
  const response: IncomingMessage = (await once(sent, "response"))[0];
  const type = response.headers["content-type"] ?? "";
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  // An event stream doesn't end by itself.
  if (type.startsWith("text/event-stream")) setTimeout(() => response.destroy(), 50);
  await once(response, "close");
  const isCompressed = response.headers["content-encoding"] !== undefined;
  const text = isCompressed ? "" : Buffer.concat(chunks).toString();
  /** Undefined for a body that isn't JSON or is compressed. */
  const json: unknown = type.startsWith("application/json") && text ? JSON.parse(text) : undefined;
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

/** Returns a shell command that repeats a call. */
function toCurl(url: string, { method, path, headers, body }: Call): string {
  const escape = (text: string) => `\\x${Buffer.from(text, "latin1").toString("hex")}`;
  const quote = (text: string) => `$'${text.replaceAll(/[^ -~]|['\\]/g, escape)}'`;
  return [
    `curl -i --path-as-is --globoff ${method === "HEAD" ? "--head" : `-X ${method}`}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary @<(echo ${body.toString("base64")} | base64 -d)`]),
    quote(url + path),
  ].join(" ");
}

/** Details of the machine, of SQL or of database errors, which no response may contain. */
const revealing: readonly RegExp[] = [
  /\$argon2|node_modules|node:internal|file:\/\/\/(?!etc)|pg_catalog|pg_toast|information_schema/,
  /\n\s+at .+:\d+|\bat \S+ \(\S+:\d+:\d+\)/,
  /\b(select|insert into|delete from)\s+["\w.*]+.{0,200}\b(from|values|where)\b/is,
  // Doesn't match "update like this", which may be a text on the site.
  /\bupdate\s+["\w.]+(\s+as\s+"?\w+"?)?\s+set\b/i,
  /duplicate key value|violates \S+(-\S+)? constraint|syntax error at or near|invalid input syntax/,
  /\bE(NOENT|ACCES|EXIST|ISDIR|NOTDIR|NAMETOOLONG|MFILE)\b|\bERR_[A-Z_]+|FST_ERR/,
];

/** @returns what is wrong with the form of an error. */
function judgeError({ method, path }: Call, { status, headers, json }: Received): string[] {
  const problems: string[] = [];
  if (status >= 500 && status !== errorStatus.storage_full) problems.push(`status ${status}`);
  // Requests outside the API get a page, possibly from the cache.
  const isPage = /^text\/(html|plain)\b/.test(headers["content-type"] ?? "");
  if (isPage && !path.startsWith("/api/")) return problems;
  if (headers["x-request-id"] === undefined) problems.push("no x-request-id");
  if (status === 429 && headers["retry-after"] === undefined) problems.push("no Retry-After");
  if (method === "HEAD") return problems;
  const body = errorBody.strict().safeParse(json).data;
  if (body === undefined) return [...problems, "an error without the form of errors"];
  const expected = Object.entries(errorStatus).find(([code]) => code === body.code)?.[1];
  if (expected !== status) problems.push(`code ${body.code} with status ${status}`);
  if (body.message.trim() === "") problems.push("an empty message");
  if (body.requestId !== headers["x-request-id"]) problems.push("another requestId in the header");
  return problems;
}

/** @param secrets texts that this caller must not receive. @returns what is wrong. */
function judge(call: Call, received: Received, secrets: readonly string[]): string[] {
  const { operation, method, path } = call;
  const { status, json } = received;
  const everything = `${JSON.stringify(received.headers)}\n${received.text}`;
  const problems = [
    ...secrets.filter((secret) => everything.includes(secret)),
    ...revealing.flatMap((pattern) => pattern.exec(everything)?.[0].slice(0, 100) ?? []),
  ].map((found) => `reveals ${found}`);
  const documented = operation.responses.get(String(status))?.safeParse(json);
  // A failing /readyz has its own documented format.
  if (documented?.success === true) return problems;
  if (status >= 400) return [...problems, ...judgeError(call, received)];
  // Parameters may contain slashes, so that the URL belongs to another operation.
  const parts = operation.path.split(/\{\w+\}/).map((part) => part.replaceAll(".", "\\."));
  const isOther = !new RegExp(`^${parts.join("[^/?]+")}/?(\\?|$)`).test(path);
  if (isOther || method !== operation.method) return problems;
  const { statuses } = operation;
  if (statuses.length > 0 && status < 300 && !statuses.includes(String(status))) {
    problems.push(`status ${status} instead of ${statuses.join(", ")}`);
  }
  if (json === undefined) return problems;
  return documented === undefined ? problems : [...problems, documented.error.message];
}

const tomorrow = new Date(Date.now() + 86_400_000);

/**
 * Fills an empty site with visible and hidden rows, whose ids are known.
 * @returns the ids, and the texts and tokens that only admins may receive.
 */
async function seedSite(db: Db) {
  const known = createKnownValues();
  const secrets: string[] = [];
  const secret = (): string => {
    secrets.push(`zqx${newId().replaceAll("-", "")}`);
    return secrets.at(-1) ?? "";
  };
  async function addVideo(values: Parameters<typeof makeVideo>[1], label: () => string) {
    const { id: categories } = await makeCategory(db, { name: label() });
    const { id: tags } = await makeTag(db, { name: label() });
    const { id: actors } = await makeActor(db, { name: label() });
    const labels = { categoryIds: [categories], tagIds: [tags], actorIds: [actors] };
    const { id: videos, slug, media_token: token } = await makeVideo(db, values, labels);
    const ids = Object.entries({ videos, categories, tags, actors });
    for (const [kind, id] of [...ids, ["videos", slug] as const]) known.add(kind, id);
    return token;
  }
  for (const title of ["Harbour at dawn", "Music 4k", "東京 night walk"]) {
    const token = await addVideo({ title, description: title }, () => `night walk ${title}`);
    known.add("media", `media/v/${token}/480p.mp4`);
  }
  for (const state of [
    { is_published: false },
    { is_published: false, publish_at: tomorrow },
    { is_published: true, status: "processing" } as const,
    { is_published: true, status: "failed", failure_reason: secret() } as const,
  ]) {
    const values = { ...state, title: secret(), description: secret(), views: 1000, trend: 1000 };
    secrets.push(await addVideo(values, secret));
  }
  const content = "<p>An ad</p><script>1</script>";
  for (const values of [
    ...(["header", "feed", "sidebar"] as const).map((placement) => ({ placement, content })),
    { type: "video", placement: "preroll", vast_tag_url: "http://127.0.0.1:1/x" } as const,
    { title: secret(), content: secret(), is_active: false },
    { title: secret(), content: secret(), starts_at: tomorrow },
  ]) {
    known.add("ads", (await makeAd(db, { trust: "page", ...values })).id);
  }
  return { known, secrets };
}

/**
 * Defines tests that send drawn calls as a visitor and as an admin, up to eight at once.
 * `KINORA_FUZZ_RUNS` and `KINORA_FUZZ_SEED` replace the number of runs and the seed. The same seed
 * draws the same calls, except for ids of new rows.
 */
export function fuzzApi(numRuns: number, usualSeed: number): void {
  const { KINORA_FUZZ_RUNS = numRuns, KINORA_FUZZ_SEED = usualSeed } = process.env;
  const parameters = { numRuns: Number(KINORA_FUZZ_RUNS), seed: Number(KINORA_FUZZ_SEED) };
  const logged: string[] = [];
  let app: TestApp;
  let site: Awaited<ReturnType<typeof seedSite>>;
  let email: string;
  beforeAll(async () => {
    app = await startTestApp({
      pages: true,
      // Every call comes from a different address. Write limits would hide other results.
      env: { TRUST_PROXY: "127.0.0.1", WRITE_LIMITS: "0" },
      logger: createLogger("error", { write: (line) => logged.push(line) }),
    });
    site = await seedSite(app.db);
    email = (await makeUser(app.db, { role: "ADMIN" })).email;
  });
  afterAll(() => app.stop());

  async function signIn(): Promise<string> {
    const client = createClient(app.url);
    await client.call("POST", "/api/auth/signin", { email, password: testPassword });
    return `session=${client.jar.get("session") ?? ""}`;
  }

  /** Returns the operations of the API document, for a visitor only those without a sign-in. */
  async function listOperations(isAdmin: boolean) {
    const closed = app.routes.filter(({ policy }) => policy !== "public" && policy !== "visitor");
    const names = closed.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    return readOperations(await (await fetch(`${app.url}/api/openapi.json`)).json()).filter(
      ({ method, path }) => isAdmin || !names.includes(`${method} ${path}`),
    );
  }

  async function expectDocumented(isAdmin: boolean): Promise<void> {
    const { known } = site;
    const secrets = [app.dataDir, root, ...(isAdmin ? [] : site.secrets)];
    const operations = await listOperations(isAdmin);
    const succeeded = new Set<unknown>();
    let session = isAdmin ? await signIn() : "";
    let visitor = "";
    let calls = 0;

    /** @returns what is wrong with the response, with a command that repeats the call. */
    async function tryCall(drawn: Call): Promise<string[]> {
      calls += 1;
      const address = `198.18.${(calls >> 8) & 255}.${calls & 255}`;
      const cookie = [session, visitor, drawn.headers["cookie"]].filter(Boolean).join("; ");
      const call = { ...drawn, headers: { "x-forwarded-for": address, ...drawn.headers, cookie } };
      const received = await sendCall(app.url, call).catch(String);
      // An upload ends with the session that sends it, and another call may end that one.
      if (received === "Error: socket hang up" && call.path.startsWith("/api/uploads")) return [];
      if (typeof received === "string") return [received, toCurl(app.url, call)];
      const { status, headers, text, json } = received;
      const problems = judge(call, received, secrets);
      if (problems.length > 0) return [...problems, toCurl(app.url, call), text.slice(0, 600)];
      for (const line of headers["set-cookie"] ?? []) {
        if (line.startsWith("visitor=")) visitor = calls % 3 > 0 ? (line.split(";")[0] ?? "") : "";
        // A sign-out or another sign-in ended the session.
        if (isAdmin && line.startsWith("session=")) session = await signIn();
      }
      if (status >= 400) return [];
      succeeded.add(call.operation);
      known.harvest(kindOf(call.path), json);
      const { location = "" } = headers;
      if (location.startsWith("/api/uploads/")) known.add("uploads", location.slice(13));
      return [];
    }
    // More concurrent calls would fill the queue of password hashes.
    const size = { minLength: 1, maxLength: 8, size: "max" } as const;
    const batch = fc.array(drawCall(operations, known), size);
    const property = fc.asyncProperty(batch, async (drawn) => {
      const problems = (await Promise.all(drawn.map(tryCall))).flat();
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
    const { failed, seed, numShrinks, errorInstance } = await fc.check(property, parameters);
    if (failed)
      throw new Error(`Seed ${seed}, shrunk ${numShrinks} times: ${String(errorInstance)}`);
    for (const path of ["/healthz", "/readyz", "/api/videos", "/api/settings"]) {
      const { status } = await fetch(app.url + path, { headers: { cookie: await signIn() } });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    expect(succeeded.size).toBeGreaterThan(operations.length / 5);
    expect(logged).toEqual([]);
  }

  // Runs as a visitor first, because the admin's run publishes drafts.
  it("responds to a visitor as documented, and reveals no drafts", () => expectDocumented(false));
  it("responds to an admin as documented", () => expectDocumented(true));
}

import { createTestCore } from "#test/http-core.ts";
import type { FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import { createSemaphore, type Semaphore } from "#server/lib/semaphore.ts";
import { type App } from "../app.ts";
import { registerReadLimit } from "./read-limit.ts";

let app: App;
let reads: Semaphore;
let started: string[];
let ends: (() => void)[];

beforeEach(async () => {
  started = [];
  ends = [];
  const core = createTestCore({ trustProxy: ["127.0.0.1"], responseCache: true });
  app = core.app;
  app.decorateRequest("user", null);
  reads = createSemaphore({
    maxRunning: 1,
    maxWaitingPerKey: 2,
    maxWaiting: 8,
    message: "busy",
    retryAfterS: 2,
  });
  registerReadLimit(app, reads);
  core.shareResponses();
  const work = async (request: FastifyRequest) => {
    const { name } = request.params as { name: string };
    started.push(name);
    await new Promise<void>((end) => ends.push(end));
    if (name === "failing") throw new Error("failed");
    return name;
  };
  app.get("/work/:name", work);
  app.get("/shared/:name", { config: { policy: "public", cache: { ttlMs: 60_000 } } }, work);
  app.get("/light", { config: { skipsReadLimit: true } }, async () => "light");
  app.post("/work", async () => "written");
  await app.ready();
});
afterEach(() => app.close());

const get = (path: string, address: string) =>
  app.inject({ url: path, headers: { "x-forwarded-for": address } });

async function endAll(): Promise<void> {
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end();
    await waitTurns();
  }
}

it("refuses an address over its limit with 503 and Retry-After, and serves others", async () => {
  const flood = ["a1", "a2", "failing", "a4"].map((name) => get(`/work/${name}`, "192.0.2.1"));
  await waitTurns();
  const visitor = get("/work/visitor", "192.0.2.2");
  await waitTurns();
  await endAll();
  expect((await visitor).statusCode).toBe(200);
  const responses = await Promise.all(flood);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 500, 503]);
  expect(responses[3]?.headers["retry-after"]).toBe("2");
  expect(started).toEqual(["a1", "a2", "failing", "visitor"]);
});

it("doesn't limit files, health checks and writes", async () => {
  const busy = get("/work/busy", "192.0.2.1");
  await waitTurns();
  expect((await get("/light", "192.0.2.1")).statusCode).toBe(200);
  expect((await app.inject({ method: "POST", url: "/work" })).statusCode).toBe(200);
  await endAll();
  expect((await busy).statusCode).toBe(200);
});

it("still enforces the limit after waiting requests were served from the cache", async () => {
  // Uses a real connection, because an injected response ends before its handler does.
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const enter = vi.spyOn(reads, "enter");
  const ask = (path: string, address: string) =>
    fetch(url + path, { headers: { "x-forwarded-for": address } }).then((each) => each.text());
  const entered = async (count: number) => {
    await expect.poll(() => enter.mock.calls.length).toBe(count);
  };
  const endNext = async () => {
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
  };

  const busy = ask("/work/busy", "192.0.2.1");
  await entered(1);
  const same = ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map((each) => ask("/shared/same", each));
  await entered(4);
  await endNext();
  await endNext();
  await Promise.all([busy, ...same]);
  expect(started).toEqual(["busy", "same"]);

  const others = ["b1", "b2"].map((name) => ask(`/work/${name}`, "192.0.2.5"));
  await entered(6);
  await waitTurns();
  expect(started).toHaveLength(3);
  await endNext();
  await endNext();
  expect((await Promise.all(others)).toSorted()).toEqual(["b1", "b2"]);
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createSemaphore } from "#server/lib/semaphore.ts";
import { createHttpCore, type App } from "../app.ts";
import { registerReadLimit } from "./read-limit.ts";

let app: App;
let started: string[];
let ends: (() => void)[];

beforeEach(async () => {
  started = [];
  ends = [];
  app = createHttpCore(
    {
      trustProxy: ["127.0.0.1"],
      responseCache: false,
      cdnMaxAgeS: 0,
      cdnPurgeUrl: null,
      geoHeader: null,
      webProcesses: 1,
    },
    createLogger("silent"),
    { stateOf: () => "none" },
  ).app;
  app.decorateRequest("user", null);
  registerReadLimit(
    app,
    createSemaphore({
      maxRunning: 1,
      maxWaitingPerKey: 2,
      maxWaiting: 8,
      message: "busy",
      retryAfterS: 2,
    }),
  );
  app.get("/work/:name", async (request) => {
    const { name } = request.params as { name: string };
    started.push(name);
    await new Promise<void>((end) => ends.push(end));
    if (name === "failing") throw new Error("failed");
    return name;
  });
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

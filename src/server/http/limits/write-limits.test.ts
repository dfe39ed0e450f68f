import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createWriteLimits, writesPerAddress, writesPerVisitor } from "./write-limits.ts";

let app: TestApp;
let now = Date.parse("2026-03-01T12:00:10Z");
const clock = { now: () => now, date: () => new Date(now) };
beforeAll(async () => {
  app = await startTestApp({ clock, env: { TRUST_PROXY: "127.0.0.1" } });
});
afterAll(() => app.stop());
beforeEach(() => {
  now += 120_000;
});

const from = (address: string) => ({ "x-forwarded-for": address });

it("lets an office pass: 100 writes in a minute from one address, each by another visitor", async () => {
  const video = await makeVideo(app.database.db);
  const path = `/api/videos/${video.id}/like`;
  for (let n = 0; n < 100; n += 1) {
    const response = await createClient(app.url).call("POST", path, undefined, from("192.0.2.1"));
    expect(response.status).toBe(200);
  }
  const { json } = await createClient(app.url).call("GET", path);
  expect(json.likesCount).toBe(100);
});

it("refuses a visitor's flood with 429 and Retry-After and stores none of it", async () => {
  const video = await makeVideo(app.database.db);
  const client = createClient(app.url);
  const path = `/api/videos/${video.id}/like`;
  expect((await client.call("POST", path)).status).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < writesPerVisitor + 9; n += 1) {
    // Another address each time: the visitor counts.
    const response = await client.call("POST", path, undefined, from(`198.51.100.${n % 250}`));
    statuses.push(response.status);
    if (response.status !== 429) continue;
    expect(response.json.code).toBe("rate_limited");
    expect(Number(response.headers.get("retry-after"))).toBe(50);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(writesPerVisitor);
  expect(statuses.slice(-9)).toEqual(Array.from({ length: 9 }, () => 429));
  const likes = await createClient(app.url).call("GET", path);
  // The calls that passed toggled an odd and then an even number of times.
  expect(likes.json.likesCount).toBe((writesPerVisitor + 1) % 2);
  now += 60_000;
  expect((await client.call("POST", path)).status).toBe(200);
});

it("bounds an address without cookies, counts an IPv6 network as one, and leaves reads alone", async () => {
  const video = await makeVideo(app.database.db);
  const { visitors, writeLimits } = app.context;
  const path = `/api/videos/${video.id}/favorite`;
  const address = (n: number) => from(`2001:db8:1:2::${n.toString(16)}`);
  await createClient(app.url).call("POST", path, undefined, address(1));
  const addressKey = visitors.addressKey({ ip: "2001:db8:1:2::ffff" });
  for (let n = 1; n < writesPerAddress; n += 1) writeLimits.take({ visitorId: null, addressKey });
  const calls = ["/like", "/watch", "/favorite"].map((call) => `/api/videos/${video.id}${call}`);
  const ads = ["impression", "click", "event"].map((call) => `/api/ads/${video.id}/${call}`);
  for (const url of [...calls, ...ads, "/api/visits", "/api/auth/signin", "/api/auth/setup"]) {
    const { status } = await createClient(app.url).call("POST", url, {}, address(7));
    expect({ url, status }).toEqual({ url, status: 429 });
  }
  expect((await createClient(app.url).call("GET", path, undefined, address(7))).status).toBe(200);
  const neighbour = await createClient(app.url).call(
    "POST",
    path,
    undefined,
    from("2001:db8:1:3::1"),
  );
  expect(neighbour.status).toBe(200);
});

it("adds up the writes of all processes, and of those only what is worth sharing", async () => {
  const { db } = app.database;
  const start = () => createWriteLimits({ db, clock, logger: createLogger("silent") });
  const [one, two] = [start(), start()];
  const flood = { visitorId: "a", addressKey: "x" };
  const quiet = { visitorId: "b", addressKey: "y" };
  for (let n = 0; n < writesPerVisitor / 2; n += 1) {
    one.take(flood);
    two.take(flood);
  }
  one.take(quiet);
  one.take(flood);
  // A slow flush may still run when the next one is due.
  await Promise.all([one.flush(), one.flush()]);
  await two.flush();
  expect(() => two.take(flood)).toThrow(/Too many calls/);
  two.take(quiet);
  const rows = await db.selectFrom("write_counts").select(["key", "writes"]).execute();
  expect(rows.find(({ key }) => key === "visitor:a")?.writes).toBe(writesPerVisitor + 1);
  expect(rows.some(({ key }) => key === "visitor:b")).toBe(false);
  // What was counted since the last flush still belongs to its minute.
  const late = { visitorId: "c", addressKey: "z" };
  for (let n = 0; n < writesPerVisitor / 2; n += 1) one.take(late);
  now += 60_000;
  one.take(quiet);
  await one.flush();
  const sum = await db
    .selectFrom("write_counts")
    .selectAll()
    .where("key", "=", "visitor:c")
    .execute();
  expect(sum).toMatchObject([
    { minute: Math.floor(now / 60_000) - 1, writes: writesPerVisitor / 2 },
  ]);
  now += 60_000;
  two.take(flood);
  await expect
    .poll(() =>
      db.selectFrom("write_counts").select("key").where("key", "=", "visitor:a").execute(),
    )
    .toEqual([]);
});

it("allows no double burst around the end of a minute", () => {
  const limits = createWriteLimits({ db: app.database.db, clock, logger: createLogger("silent") });
  const caller = { visitorId: "c", addressKey: "z" };
  const takeAll = () => {
    for (let taken = 0; ; taken += 1) {
      try {
        limits.take(caller);
      } catch (error) {
        return { taken, error };
      }
    }
  };
  now = Date.parse("2026-03-01T14:00:59Z");
  expect(takeAll().taken).toBe(writesPerVisitor);
  now += 2000;
  // One second of the minute before has left the last 60 seconds.
  const { taken, error } = takeAll();
  expect(taken).toBe(writesPerVisitor / 60);
  expect(error).toMatchObject({ code: "rate_limited", retryAfterS: 0.25 });
  now += 29_000;
  expect(takeAll().taken).toBe(writesPerVisitor / 2 - taken);
  now += 120_000;
  expect(takeAll().taken).toBe(writesPerVisitor);
});

it("tells all web processes of a burst at once, before its second is over", async () => {
  const processes = 4;
  const all = Array.from({ length: processes }, () =>
    createWriteLimits({ db: app.database.db, clock, logger: createLogger("silent"), processes }),
  );
  const caller = { visitorId: null, addressKey: "a burst" };
  for (const limits of all) {
    for (let n = 0; n < writesPerAddress / processes; n += 1) limits.take(caller);
  }
  await expect
    .poll(async () => {
      const { rows } = await app.database.pool.query(
        "select writes from write_counts where key = 'address:a burst'",
      );
      return rows;
    })
    .toEqual([{ writes: writesPerAddress }]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { AppError } from "#server/lib/app-error.ts";

const path = "/api/trending/stats";

const app = useTestApp();
beforeEach(() => app.context.changed("everything"));
afterEach(() => void vi.restoreAllMocks());

/** Requests the statistics. `prepare` replaces their service until `open` is called. */
function hold(prepare: (times: number) => void = () => undefined) {
  const original = app.context.trending.stats;
  const gate = Promise.withResolvers<void>();
  let times = 0;
  const stats = vi.spyOn(app.context.trending, "stats").mockImplementation(async (range) => {
    times += 1;
    const value = await original(range);
    const now = times;
    await gate.promise;
    prepare(now);
    return value;
  });
  return { stats, open: () => gate.resolve() };
}

const request = (cookie = "", headers: Record<string, string> = {}) =>
  createClient(app.url, cookie).call("GET", path, undefined, headers);

const requests = (count: number) => Array.from({ length: count }, () => request());

test("prepares a response once for simultaneous requests", async () => {
  const { stats, open } = hold();
  const waiting = [...requests(20), request("visitor=x"), request(`session=${"x".repeat(43)}`)];
  await expect.poll(() => app.context.http.cache.stats.misses).toBeGreaterThanOrEqual(22);
  open();
  const responses = await Promise.all(waiting);
  expect(responses.map(({ status }) => status)).toEqual(waiting.map(() => 200));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(stats).toHaveBeenCalledTimes(1);
});

test("shares no response with a signed-in user", async () => {
  const cookie = await app.signIn();
  const { stats, open } = hold();
  const waiting = [request(), request(cookie), request(cookie)];
  await expect.poll(() => stats.mock.calls.length).toBe(3);
  open();
  const [visitor, ...users] = await Promise.all(waiting);
  expect(visitor?.headers.get("etag")).not.toBeNull();
  for (const user of users) {
    expect(user.headers.get("cache-control")).toBe("private, no-store");
    expect(user.headers.get("etag")).toBeNull();
  }
});

test("doesn't share or cache an error", async () => {
  const { stats, open } = hold((times) => {
    if (times === 1) throw new AppError("unavailable", "Not now.");
  });
  const waiting = requests(3);
  await expect.poll(() => stats.mock.calls.length).toBe(1);
  open();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 503]);
  expect((await request()).status).toBe(200);
});

test("lets a waiting request prepare the response again after a change", async () => {
  const { stats, open } = hold((times) => {
    if (times === 1) void app.context.changed(["videos"]);
  });
  const waiting = requests(10);
  await expect.poll(() => stats.mock.calls.length).toBe(1);
  open();
  await Promise.all(waiting);
  expect(stats).toHaveBeenCalledTimes(2);
  await request();
  expect(stats).toHaveBeenCalledTimes(2);
});

test("serves the other clients when one disconnects", async () => {
  const { stats, open } = hold();
  const leaving = new AbortController();
  const left = fetch(app.url + path, { signal: leaving.signal }).catch(() => "left");
  await expect.poll(() => stats.mock.calls.length).toBe(1);
  const waiting = requests(3);
  leaving.abort();
  expect(await left).toBe("left");
  open();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

test("sends the first response with the same headers as later ones, or as 304", async () => {
  const first = await request();
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  const second = await request();
  for (const name of ["etag", "vary", "cache-control", "content-type"]) {
    expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get(name)).not.toBeNull();
  }
  await app.context.changed("everything");
  const { stats } = app.context.http.cache;
  const { hits } = stats;
  const known = await request("", { "if-none-match": etag });
  expect(stats.hits).toBe(hits);
  expect([known.status, known.text]).toEqual([304, ""]);
  expect(known.headers.get("etag")).toBe(etag);
  const unknown = await request("", { "if-none-match": 'W/"another"' });
  expect([unknown.status, unknown.text]).toEqual([200, first.text]);
});

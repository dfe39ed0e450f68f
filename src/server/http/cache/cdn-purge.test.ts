import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { createCdnPurge } from "./cdn-purge.ts";

const url = "https://cdn.example/purge?key=secret";
let bodies: unknown[] = [];
let status = 200;

function start() {
  return createCdnPurge({
    url,
    logger: createLogger("silent"),
    async fetch(target, init) {
      expect(target).toBe(url);
      if (typeof init?.body === "string") bodies.push(JSON.parse(init.body));
      return new Response(null, { status });
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  bodies = [];
  status = 200;
});
afterEach(() => void vi.useRealTimers());

test("reports changes in quick succession in one request", async () => {
  const purge = start();
  purge.add(new Set(["videos", "video:1"]));
  purge.add(new Set(["videos", "video:2"]));
  expect(bodies).toEqual([]);
  await vi.runAllTimersAsync();
  expect(bodies).toEqual([{ tags: ["videos", "video:1", "video:2"] }]);
  purge.add(new Set(["ads"]));
  purge.add("everything");
  await vi.runAllTimersAsync();
  expect(bodies.slice(1)).toEqual([{ everything: true }]);
});

test("repeats a failed report at growing intervals and includes later changes", async () => {
  const purge = start();
  status = 503;
  purge.add(new Set(["settings"]));
  await vi.advanceTimersByTimeAsync(500);
  purge.add(new Set(["ads"]));
  await vi.advanceTimersByTimeAsync(1000);
  expect(bodies).toEqual([{ tags: ["settings"] }, { tags: ["settings", "ads"] }]);
  await vi.advanceTimersByTimeAsync(1999);
  expect(bodies).toHaveLength(2);
  status = 200;
  await vi.runAllTimersAsync();
  expect(bodies).toHaveLength(3);
});

test("tries an unresponsive CDN 8 times, and again after the next change", async () => {
  const purge = start();
  status = 500;
  purge.add("everything");
  await vi.runAllTimersAsync();
  expect(bodies).toHaveLength(8);
  purge.add(new Set(["ads"]));
  await vi.advanceTimersByTimeAsync(500);
  expect(bodies.at(-1)).toEqual({ tags: ["ads"] });
});

import { expect, test, vi } from "vitest";
import { callForEffect } from "#web/lib/api/http.ts";
import {
  createWatchReporter,
  sendWatchReport,
  type WatchReport,
  createWatchMeter,
} from "./watch-tracker.ts";

function setUp() {
  const sent: (WatchReport & { isLast: boolean })[] = [];
  const reporter = createWatchReporter("v1", (_id, report, isLast) =>
    sent.push({ ...report, isLast }),
  );
  return { sent, reporter };
}

test("reports 0 and false once on load", () => {
  const { sent, reporter } = setUp();
  reporter.begin();
  reporter.begin();
  expect(sent).toEqual([{ watchTime: 0, completed: false, isLast: false }]);
});

test("reports the duration and true once at the end, even if the video loops", () => {
  const { sent, reporter } = setUp();
  reporter.begin();
  reporter.complete(12.5);
  reporter.complete(12.5);
  expect(sent.slice(1)).toEqual([{ watchTime: 12.5, completed: true, isLast: false }]);
});

test("reports the watched seconds once when the visitor leaves", () => {
  const { sent, reporter } = setUp();
  reporter.begin();
  reporter.leave(3.456);
  reporter.leave(3.456);
  reporter.leave(9);
  expect(sent.slice(1)).toEqual([
    { watchTime: 3.46, completed: false, isLast: true },
    { watchTime: 9, completed: false, isLast: true },
  ]);
});

test("doesn't report a clip that was only preloaded", () => {
  const { sent, reporter } = setUp();
  reporter.leave(4);
  reporter.complete(10);
  expect(sent).toEqual([]);
});

test("reports only further loops when the visitor leaves after the end", () => {
  const { sent, reporter } = setUp();
  reporter.begin();
  reporter.complete(10);
  reporter.leave(10);
  reporter.leave(17);
  expect(sent.slice(2)).toEqual([{ watchTime: 17, completed: true, isLast: true }]);
});

test("stops waiting for a response, so that later requests are sent", async () => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(limit.signal);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string, { signal }: { signal?: AbortSignal }) => {
    sent.push(path);
    if (path === "/next") return Promise.resolve(new Response());
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  });
  sendWatchReport(() => "direct")("v1", { watchTime: 0, completed: false }, false);
  void callForEffect("/next", { method: "POST" });
  limit.abort(new DOMException("late", "TimeoutError"));
  await expect.poll(() => sent).toEqual(["/api/videos/v1/watch", "/next"]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("counts watched seconds but not skipped ones", () => {
  const meter = createWatchMeter();
  meter.observe(0, 0, 1);
  meter.observe(1, 1000, 1);
  meter.observe(50, 1250, 1);
  meter.observe(51, 2250, 1);
  expect(meter.watchedS).toBeCloseTo(2);
});

test("counts seconds of content at double speed", () => {
  const meter = createWatchMeter();
  meter.observe(0, 0, 2);
  meter.observe(2, 1000, 2);
  expect(meter.watchedS).toBeCloseTo(2);
});

test("ignores a jump after a long pause", () => {
  const meter = createWatchMeter();
  meter.observe(10, 0, 1);
  meter.interrupt();
  meter.observe(900, 3_600_000, 1);
  meter.observe(901, 3_601_000, 1);
  expect(meter.watchedS).toBeCloseTo(1);
});

test("preserves the watched time after a restart", () => {
  const meter = createWatchMeter();
  meter.observe(9, 0, 1);
  meter.observe(10, 1000, 1);
  meter.observe(0, 1100, 1);
  meter.observe(1, 2100, 1);
  expect(meter.watchedS).toBeCloseTo(2);
});

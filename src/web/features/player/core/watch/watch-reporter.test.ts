import { expect, test, vi } from "vitest";
import { callForEffect } from "#web/lib/api/http.ts";
import { createWatchReporter, sendWatchReport, type WatchReport } from "./watch-reporter.ts";

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

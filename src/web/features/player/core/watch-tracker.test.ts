import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callForEffect } from "#web/lib/api/http.ts";
import { createWatchTracker, sendWatchReport } from "./watch-tracker.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Parts of the last report, a digit for two of them. */
let lastBins: string | undefined;

function setUp() {
  const sent: object[] = [];
  const tracker = createWatchTracker(
    "v1",
    (_id, { bins, ...report }, isLast) => {
      sent.push({ ...report, isLast });
      lastBins = bins;
    },
    null,
    () => 100,
    () => null,
  );
  /** Plays from one position to another, and returns the report of a visitor who leaves then. */
  function play(fromS: number, toS: number, rate = 1) {
    tracker.observe(fromS, rate);
    vi.advanceTimersByTime(((toS - fromS) / rate) * 1000);
    tracker.observe(toS, rate);
    const before = sent.length;
    tracker.leave();
    return sent.slice(before);
  }
  return { sent, tracker, play };
}

const left = (watchTime: number, completed = false) => [{ watchTime, completed, isLast: true }];

test("reports 0 and false once on load", () => {
  const { sent, tracker } = setUp();
  tracker.begin();
  tracker.begin();
  expect(sent).toEqual([{ watchTime: 0, completed: false, isLast: false }]);
});

test("reports the duration and true once at the end, even if the video loops", () => {
  const { sent, tracker } = setUp();
  tracker.begin();
  tracker.complete(12.5);
  tracker.complete(12.5);
  expect(sent.slice(1)).toEqual([{ watchTime: 12.5, completed: true, isLast: false }]);
});

test("reports the watched seconds once when the visitor leaves", () => {
  const { sent, tracker, play } = setUp();
  tracker.begin();
  expect(play(0, 3.456)).toEqual(left(3.46));
  tracker.leave();
  expect(sent).toHaveLength(2);
  expect(play(3.456, 9)).toEqual(left(9));
});

test("doesn't report a clip that was only preloaded", () => {
  const { sent, tracker, play } = setUp();
  play(0, 4);
  tracker.complete(10);
  expect(sent).toEqual([]);
});

test("reports only further loops when the visitor leaves after the end", () => {
  const { sent, tracker, play } = setUp();
  tracker.begin();
  tracker.observe(0, 1);
  vi.advanceTimersByTime(10_000);
  tracker.observe(10, 1);
  tracker.complete(10);
  tracker.leave();
  expect(sent).toHaveLength(2);
  expect(play(0, 7)).toEqual(left(17, true));
});

test("counts watched seconds but not skipped ones", () => {
  const { tracker, play } = setUp();
  tracker.begin();
  expect(play(0, 1)).toEqual(left(1));
  vi.advanceTimersByTime(250);
  expect(play(50, 51)).toEqual(left(2));
});

test("counts seconds of content at double speed", () => {
  const { tracker, play } = setUp();
  tracker.begin();
  expect(play(0, 2, 2)).toEqual(left(2));
});

test("ignores a jump after a long pause", () => {
  const { tracker, play } = setUp();
  tracker.begin();
  tracker.observe(10, 1);
  tracker.interrupt();
  vi.advanceTimersByTime(3_600_000);
  expect(play(900, 901)).toEqual(left(1));
});

test("preserves the watched time after a restart", () => {
  const { tracker, play } = setUp();
  tracker.begin();
  expect(play(9, 10)).toEqual(left(1));
  vi.advanceTimersByTime(100);
  expect(play(0, 1)).toEqual(left(2));
});

test("stops waiting for a response, so that later requests are sent", async () => {
  vi.useRealTimers();
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

test("reports the played parts once their code is loaded", async () => {
  const { tracker, play } = setUp();
  tracker.begin();
  expect(lastBins).toBeUndefined();
  await expect
    .poll(() => {
      tracker.interrupt();
      play(0, 4.2);
      return lastBins;
    })
    .toMatch(/^[1-9a-f]+0+$/);
});

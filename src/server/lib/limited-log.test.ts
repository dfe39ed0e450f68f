import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { warnLimited } from "./logger.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("logs a repeated cause once, then once per interval with the number of repetitions", () => {
  const logger = { warn: vi.fn<(fields: object, message: string) => void>() };
  const err = new Error("refused");
  const fail = (tries: number) => warnLimited(logger, "database", { err, tries }, "lost");
  for (let tries = 1; tries <= 50; tries += 1) fail(tries);
  warnLimited(logger, "queue", {}, "other");
  expect(logger.warn.mock.calls).toEqual([
    [{ err, tries: 1 }, "lost"],
    [{}, "other"],
  ]);

  vi.advanceTimersByTime(10_000);
  expect(logger.warn.mock.calls.slice(2)).toEqual([
    [{ tries: 50, reason: "refused", repeated: 49, seconds: 10 }, "lost"],
  ]);

  // An interval without repetitions ends the series, so the next event is logged at once.
  vi.advanceTimersByTime(10_000);
  fail(51);
  expect(logger.warn.mock.calls.slice(3)).toEqual([[{ err, tries: 51 }, "lost"]]);
});

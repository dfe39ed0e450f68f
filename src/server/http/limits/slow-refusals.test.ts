import Fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRefusalDelay, registerSlowRefusals } from "./slow-refusals.ts";

describe("refusals", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("go out at once, 200 in a second, and the others later", () => {
    const delay = createRefusalDelay();
    const respond = vi.fn();
    const overflow = vi.fn();
    for (let n = 0; n < 300; n += 1) delay.pass(respond, overflow);
    expect(respond).toHaveBeenCalledTimes(200);
    vi.advanceTimersByTime(249);
    expect(respond).toHaveBeenCalledTimes(200);
    vi.advanceTimersByTime(1);
    expect(respond).toHaveBeenCalledTimes(300);
    vi.advanceTimersByTime(1000);
    delay.pass(respond, overflow);
    expect(respond).toHaveBeenCalledTimes(301);
    expect(overflow).not.toHaveBeenCalled();
  });

  it("do not wait where a thousand wait", () => {
    const delay = createRefusalDelay();
    const overflow = vi.fn();
    for (let n = 0; n < 1210; n += 1) delay.pass(vi.fn(), overflow);
    expect(overflow).toHaveBeenCalledTimes(10);
  });
});

it("delays error responses and no others", async () => {
  const app = Fastify();
  registerSlowRefusals(app);
  app.get("/good", async () => "good");
  // All within one second, however slow this machine is.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const timer = vi.spyOn(globalThis, "setTimeout");
  const countDelays = () => timer.mock.calls.filter(([, delayMs]) => delayMs === 250).length;
  const callAll = (url: string) =>
    Promise.all(Array.from({ length: 300 }, () => app.inject({ method: "GET", url })));
  const good = await callAll("/good");
  expect(countDelays()).toBe(0);
  const missing = await callAll("/missing");
  expect(countDelays()).toBeGreaterThan(0);
  expect(new Set(good.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(new Set(missing.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
  timer.mockRestore();
  clock.mockRestore();
  await app.close();
});

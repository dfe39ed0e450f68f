import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runAdBreak } from "./ad-break.ts";
import type { AdBreak, AdStage } from "./ad-provider.ts";

class FakeContainer {
  children = 0;
  replaceChildren(): void {
    this.children = 0;
  }
}

const sound = { isMuted: false, volume: 0.7 };

function setUp(prepared: Promise<AdBreak | null>) {
  const container = new FakeContainer();
  const leaving = new AbortController();
  const outcome = runAdBreak({
    prepared,
    // The break only uses `replaceChildren`.
    container: container as unknown as HTMLElement,
    signal: leaving.signal,
    sound,
  });
  return { container, leaving, outcome };
}

/** Break that lasts until the test ends it. */
function heldBreak() {
  let stage: AdStage | null = null;
  let finish: (outcome: "completed" | "skipped") => void = () => {};
  const found: AdBreak = {
    play(given) {
      stage = given;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  };
  return { found, stage: () => stage, finish: (how: "completed" | "skipped") => finish(how) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("continues the content immediately if there is no ad", async () => {
  await expect(setUp(Promise.resolve(null)).outcome).resolves.toBe("none");
});

test("continues the content if the provider fails", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await expect(setUp(Promise.reject(new Error("blocked"))).outcome).resolves.toBe("failed");
});

test("aborts an ad that shows nothing within 3 s", async () => {
  const ad = heldBreak();
  const { outcome } = setUp(Promise.resolve(ad.found));
  await vi.advanceTimersByTimeAsync(2999);
  expect(ad.stage()?.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await expect(outcome).resolves.toBe("failed");
  expect(ad.stage()?.signal.aborted).toBe(true);
});

test("counts the search for an ad towards the 3 s", async () => {
  const never = new Promise<AdBreak | null>(() => {});
  const { outcome } = setUp(never);
  await vi.advanceTimersByTimeAsync(3000);
  await expect(outcome).resolves.toBe("failed");
});

test("doesn't play an ad found after the content continued", async () => {
  const ad = heldBreak();
  const { outcome } = setUp(new Promise((resolve) => setTimeout(() => resolve(ad.found), 3500)));
  await vi.advanceTimersByTimeAsync(4000);
  await expect(outcome).resolves.toBe("failed");
  expect(ad.stage()).toBeNull();
});

test("plays a visible ad to its end with the visitor's sound settings", async () => {
  const ad = heldBreak();
  const { outcome, container } = setUp(Promise.resolve(ad.found));
  await vi.advanceTimersByTimeAsync(500);
  expect(ad.stage()).toMatchObject(sound);
  ad.stage()?.onVisible();
  container.children = 3;
  await vi.advanceTimersByTimeAsync(14_000);
  ad.finish("skipped");
  await expect(outcome).resolves.toBe("skipped");
  expect(container.children).toBe(0);
});

test("ends an ad that doesn't end itself", async () => {
  const ad = heldBreak();
  const { outcome } = setUp(Promise.resolve(ad.found));
  await vi.advanceTimersByTimeAsync(10);
  ad.stage()?.onVisible();
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(outcome).resolves.toBe("failed");
});

test("waits for an ad whose link the visitor has followed", async () => {
  const ad = heldBreak();
  const { outcome } = setUp(Promise.resolve(ad.found));
  await vi.advanceTimersByTimeAsync(10);
  ad.stage()?.onVisible();
  ad.stage()?.onFollow();
  await vi.advanceTimersByTimeAsync(60_000);
  ad.finish("completed");
  await expect(outcome).resolves.toBe("completed");
});

test("ends the break when the visitor leaves the video", async () => {
  const ad = heldBreak();
  const { outcome, leaving } = setUp(Promise.resolve(ad.found));
  await vi.advanceTimersByTimeAsync(10);
  leaving.abort();
  await expect(outcome).resolves.toBe("failed");
  expect(ad.stage()?.signal.aborted).toBe(true);
});

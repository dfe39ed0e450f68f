// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { settle } from "../fake-media.fixture.ts";
import { catchWarnings } from "../player.fixture.ts";
import { createAdDirector, createMidrollSchedule, fallbackMidrollTimes } from "./ad-director.ts";
import type { AdBreak, AdProvider, AdSlot } from "./ad-provider.ts";

const noAd: AdBreak | null = null;
const shortBreak: AdBreak = {
  async play(stage) {
    stage.onVisible();
    return "completed";
  },
};

function start({
  times = Promise.resolve<number[]>([]),
  prepare = vi.fn<AdProvider["prepare"]>(() => Promise.resolve(shortBreak)),
  hasContainer = true,
} = {}) {
  const container = hasContainer ? document.createElement("div") : null;
  const slots: (AdSlot | null)[] = [];
  const director = createAdDirector({
    provider: { prepare },
    midrollTimes: () => times,
    container: () => container,
    context: { videoId: "v1", slug: "one", categories: ["animals"], tags: [] },
    durationS: () => 200,
    media: () => document.createElement("video"),
    sound: () => ({ isMuted: false, volume: 1 }),
    onSoundChange: () => {},
    onSlot: (slot) => slots.push(slot),
    onVisible: () => {},
  });
  onTestFinished(() => director.dispose());
  const asked = () => prepare.mock.calls.map(([slot, { positionS }]) => [slot, positionS]);
  return { director, slots, asked, prepare };
}

test("searches for the pre-roll early and plays it once", async () => {
  const { director, slots, asked } = start();
  director.prepareEarly();
  expect(asked()).toEqual([["preroll", 0]]);
  await director.beforeFirstPlay();
  await director.beforeFirstPlay();
  expect(slots).toEqual(["preroll", null]);
  expect(asked()).toHaveLength(1);
});

test("searches for a mid-roll 8 s ahead and plays it once within 1 s of its time", async () => {
  const { director, slots, asked } = start({ times: Promise.resolve([100]) });
  director.prepareEarly();
  await settle();
  expect(director.atPosition(91)).toBeNull();
  expect(asked()).toHaveLength(1);
  expect(director.atPosition(93)).toBeNull();
  expect(director.atPosition(95)).toBeNull();
  expect(asked()).toEqual([
    ["preroll", 0],
    ["midroll", 100],
  ]);
  await director.atPosition(99.2);
  expect(director.atPosition(100)).toBeNull();
  expect(slots).toEqual(["midroll", null]);
});

test("plays a mid-roll after a jump into its time", async () => {
  const { director, asked, slots } = start({ times: Promise.resolve([100]) });
  director.prepareEarly();
  await settle();
  await director.atPosition(100.5);
  expect(asked().at(-1)).toEqual(["midroll", 100]);
  expect(slots).toEqual(["midroll", null]);
});

test("plays no mid-roll that a jump passes over, until the position returns before it", async () => {
  const { director, slots } = start({ times: Promise.resolve([100]) });
  director.prepareEarly();
  await settle();
  expect(director.atPosition(110)).toBeNull();
  expect(slots).toEqual([]);
  expect(director.atPosition(97)).toBeNull();
  await director.atPosition(99);
  expect(slots).toEqual(["midroll", null]);
});

test("doesn't start a second break during a break", async () => {
  const { director } = start({
    times: Promise.resolve([100]),
    prepare: vi.fn(() => new Promise<null>(() => {})),
  });
  director.prepareEarly();
  await settle();
  void director.beforeFirstPlay();
  expect(director.isInBreak).toBe(true);
  expect(director.atPosition(100)).toBeNull();
});

test("computes mid-roll times from the duration if none are configured", async () => {
  catchWarnings();
  const { director, slots } = start({ times: Promise.reject(new Error("500")) });
  director.prepareEarly();
  await settle();
  for (const positionS of [50, 100, 150]) await director.atPosition(positionS);
  expect(slots).toEqual(["midroll", null, "midroll", null, "midroll", null]);
});

test("plays the post-roll once, at the end", async () => {
  const { director, slots, asked } = start();
  await director.atEnd();
  await director.atEnd();
  expect(slots).toEqual(["postroll", null]);
  expect(asked()).toEqual([["postroll", 200]]);
});

test("replaces the site's breaks with those of an ad server", async () => {
  const fromPlan = vi.fn<AdProvider["prepare"]>(() => Promise.resolve(shortBreak));
  const { director, slots, asked } = start({
    times: Promise.resolve([30]),
    prepare: vi.fn((_slot, { onPlan }) => {
      onPlan({
        midrollTimes: (durationS) => [durationS / 2],
        hasPostroll: () => false,
        prepare: fromPlan,
      });
      return Promise.resolve(noAd);
    }),
  });
  director.prepareEarly();
  await director.beforeFirstPlay();
  await settle();
  expect(director.atPosition(30)).toBeNull();
  await director.atPosition(99.5);
  await director.atEnd();
  expect(asked()).toEqual([["preroll", 0]]);
  expect(fromPlan.mock.calls.map(([slot, { positionS }]) => [slot, positionS])).toEqual([
    ["midroll", 100],
  ]);
  expect(slots).toEqual(["preroll", null, "midroll", null]);
});

test("continues the content after an empty or failed search", async () => {
  const warn = catchWarnings();
  const empty = start({ prepare: vi.fn(() => Promise.resolve(noAd)) });
  await empty.director.beforeFirstPlay();
  expect(empty.slots).toEqual(["preroll", null]);
  expect(warn).not.toHaveBeenCalled();
  const failed = start({ prepare: vi.fn(() => Promise.reject(new Error("blocked"))) });
  await failed.director.beforeFirstPlay();
  expect(failed.slots).toEqual(["preroll", null]);
  expect(warn).toHaveBeenCalled();
});

test("skips the break if the controls are not rendered yet", async () => {
  const { director, slots } = start({ hasContainer: false });
  await director.beforeFirstPlay();
  expect(slots).toEqual([]);
});

test("aborts the search and ends the break silently on dispose", async () => {
  const { director, slots, prepare } = start({
    prepare: vi.fn(() => new Promise<null>(() => {})),
  });
  const ended = director.beforeFirstPlay();
  director.dispose();
  await ended;
  expect(prepare.mock.calls[0]?.[1].signal.aborted).toBe(true);
  expect(slots).toEqual(["preroll"]);
  await director.atEnd();
  expect(slots).toEqual(["preroll"]);
});

test.each([
  [60, []],
  [61, [30.5]],
  [120, [60]],
  [121, [30.25, 60.5]],
  [180, [45, 90]],
  [200, [50, 100, 150]],
])("computes mid-roll times for a video of %d s", (durationS, times) => {
  expect(fallbackMidrollTimes(durationS)).toEqual(times);
});

test("plays a break once, within a second before or after its time", () => {
  const schedule = createMidrollSchedule([30]);
  expect(schedule.due(28.9)).toBeNull();
  expect(schedule.due(29)).toBe(30);
  expect(schedule.due(31)).toBe(30);
  expect(schedule.due(31.1)).toBeNull();
  schedule.markDone(30);
  expect(schedule.due(30)).toBeNull();
});

test("returns the time of the coming break and ignores invalid times", () => {
  const schedule = createMidrollSchedule([Number.NaN, 0, -5, 40]);
  expect(schedule.due(0)).toBeNull();
  expect(schedule.coming(31, 8)).toBeNull();
  expect(schedule.coming(33, 8)).toBe(40);
  expect(schedule.coming(40, 8)).toBeNull();
});

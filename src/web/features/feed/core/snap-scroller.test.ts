// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { feedAd, feedVideos } from "./feed-items.fixture.ts";
import { createFeedStore } from "./feed-store.ts";
import { createSnapScroller, type SnapScroller } from "./snap-scroller.ts";
import { endOf } from "./timeline.ts";

let height = 800;
let place = 0;
let isReduced = true;
let element: HTMLElement;
let scroller: SnapScroller;

const create = () =>
  createSnapScroller({
    element,
    area: element,
    bounds: () => ({ first: 0, end: 10 }),
    place: () => place,
    onPlace: (next) => {
      place = next;
    },
    onRest: () => {},
    isMotionReduced: () => isReduced,
  });

beforeEach(() => {
  vi.useFakeTimers();
  // In this test, the size observer always fires too late.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  [height, place, isReduced] = [800, 0, true];
  element = document.createElement("div");
  Object.defineProperty(element, "clientHeight", { get: () => height });
  element.scrollTo = (options?: ScrollToOptions | number): unknown => {
    if (typeof options === "object") element.scrollTop = options.top ?? 0;
    // As in newer browsers.
    return Promise.resolve();
  };
  scroller = create();
  scroller.moveTo(2);
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  scroller.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("aligns without a result, which React would call as a clean-up", () => {
  expect(scroller.align(2)).toBeUndefined();
});

test("moves to an item when a key is pressed", () => {
  expect([place, element.scrollTop]).toEqual([2, 1600]);
});

test("stays at the item when the screen is rotated and a scroll event fires", () => {
  height = 390;
  element.dispatchEvent(new Event("scroll"));
  expect([place, element.scrollTop]).toEqual([2, 780]);
});

test("stays at the item when a scroll ends while the screen is rotated", () => {
  element.dispatchEvent(new Event("scroll"));
  height = 390;
  vi.advanceTimersByTime(1000);
  expect([place, element.scrollTop]).toEqual([2, 780]);
});

test("follows a scroll to another item", () => {
  element.scrollTop = 2400;
  element.dispatchEvent(new Event("scroll"));
  expect(place).toBe(3);
});

test("moves one item if the browser handled a wheel event", () => {
  element.scrollTop = 1840;
  element.dispatchEvent(new Event("scroll"));
  expect([place, element.scrollTop]).toEqual([3, 2400]);
});

test("stays at the item when a finger pans less than half an item", () => {
  element.dispatchEvent(Object.assign(new Event("touchstart"), { touches: [{ clientY: 400 }] }));
  element.scrollTop = 1840;
  element.dispatchEvent(new Event("scroll"));
  expect([place, element.scrollTop]).toEqual([2, 1840]);
});

test.each([240, 600])("moves one item after a scroll of %i px before the scripts ran", (way) => {
  scroller.dispose();
  place = 0;
  element.scrollTop = way;
  scroller = create();
  vi.advanceTimersByTime(1000);
  expect([place, element.scrollTop]).toEqual([1, 800]);
});

test("returns to the item of a restored feed", () => {
  scroller.dispose();
  place = 4;
  element.scrollTop = 0;
  scroller = create();
  expect([place, element.scrollTop]).toEqual([4, 3200]);
});

function touch(type: string, touches: number, clientY: number): void {
  const at = [{ clientY }];
  const lists = { touches: at.slice(1 - touches), changedTouches: at };
  element.dispatchEvent(Object.assign(new TouchEvent(type), lists));
}

/** Swipes slowly over `way` px while the browser draws nothing, as on a busy device. */
function swipeSlowly(way: number): void {
  touch("touchstart", 1, 400);
  element.scrollTop += way;
  element.dispatchEvent(new Event("scroll"));
  vi.advanceTimersByTime(900);
  touch("touchend", 0, 400 - way);
}

test.each([1, -1])("moves one item per slow swipe on a busy device (direction %i)", (way) => {
  const moves: (string | undefined)[] = [];
  let frames: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.stubGlobal("cancelAnimationFrame", () => {
    frames = [];
  });
  const draw = (top: number) => {
    if (element.scrollTop !== top) {
      element.scrollTop = top;
      element.dispatchEvent(new Event("scroll"));
    }
    const drawn = frames;
    frames = [];
    for (const run of drawn) run();
  };
  scroller.dispose();
  place = 5;
  isReduced = false;
  scroller = create();
  element.scrollTo = (options?: ScrollToOptions | number) => {
    if (typeof options === "object") moves.push(`${options.behavior} ${options.top}`);
  };
  swipeSlowly(56 * way);
  // The device draws a frame every 300 ms, and the animation takes several.
  const goal = (5 + way) * 800;
  for (const left of [744, 743.8, 640, 420, 130, 0]) {
    draw(goal - way * left);
    vi.advanceTimersByTime(300);
  }
  for (let n = 0; n < 8; n += 1) draw(goal);
  expect([place, moves]).toEqual([5 + way, [`smooth ${goal}`]]);
  // The browser reports the rest of its own animation late.
  draw(goal - way * 70);
  draw(goal);
  expect([place, moves]).toEqual([5 + way, [`smooth ${goal}`]]);
});

/** Shows a feed of 60 clips in the scroller, as the page does. Returns the feed and its scrolls. */
function showFeed() {
  const ids = Array.from({ length: 60 }, (_, index) => `v${index}`);
  const feed = createFeedStore(
    { videos: feedVideos(...ids), nextCursor: "k", hasFailed: false },
    {
      fetchFeed: async () => ({ videos: [], nextCursor: "k", shown: [] }),
      fetchAds: async () => ({ ads: [feedAd("X")], serve: "s" }),
    },
  );
  onTestFinished(() => feed.dispose());
  scroller.dispose();
  isReduced = false;
  element.scrollTop = 0;
  const scrolls: string[] = [];
  element.scrollTo = (options?: ScrollToOptions | number) => {
    if (typeof options !== "object") return;
    scrolls.push(`${options.behavior} ${options.top}`);
    element.scrollTop = options.top ?? 0;
  };
  scroller = createSnapScroller({
    element,
    area: element,
    bounds: () => {
      const { timeline } = feed.store.get();
      return { first: timeline.firstPlace, end: endOf(timeline) };
    },
    place: () => feed.store.get().place,
    onPlace: feed.goTo,
    onRest: feed.tidy,
    isMotionReduced: () => isReduced,
  });
  let { firstPlace } = feed.store.get().timeline;
  feed.store.subscribe(() => {
    const { timeline, place: shown } = feed.store.get();
    if (timeline.firstPlace === firstPlace) return;
    ({ firstPlace } = timeline);
    scroller.align(shown);
  });
  const move = async () => {
    scroller.moveBy(1);
    await vi.advanceTimersByTimeAsync(1000);
  };
  return { feed, scrolls, move };
}

test("animates each move after the 50th one, and drops old entries when it has ended", async () => {
  const { feed, scrolls, move } = showFeed();
  for (let at = 1; at <= 52; at += 1) await move();
  expect(scrolls.filter((scroll) => scroll.startsWith("smooth"))).toHaveLength(52);
  expect(scrolls.slice(-2)).toEqual(["smooth 40800", "instant 40000"]);
  expect(feed.store.get()).toMatchObject({ place: 52, timeline: { firstPlace: 2 } });
});

test("animates each move after an ad", async () => {
  const { feed, scrolls, move } = showFeed();
  feed.start({ hasAds: true });
  for (let at = 1; at <= 5; at += 1) await move();
  expect(scrolls.slice(2)).toEqual(["smooth 2400", "smooth 3200", "smooth 4000", "instant 3200"]);
});

test("drops old entries only after the finger is lifted", async () => {
  const { feed, move } = showFeed();
  for (let at = 1; at <= 50; at += 1) await move();
  touch("touchstart", 1, 700);
  element.scrollTop += 500;
  element.dispatchEvent(new Event("scroll"));
  await vi.advanceTimersByTimeAsync(1000);
  expect([feed.store.get().place, element.scrollTop]).toEqual([51, 40_500]);
  touch("touchend", 0, 200);
  await vi.advanceTimersByTimeAsync(1000);
  expect([feed.store.get().place, element.scrollTop]).toEqual([51, 40_000]);
});

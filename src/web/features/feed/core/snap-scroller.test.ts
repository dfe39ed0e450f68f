// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSnapScroller, type SnapScroller } from "./snap-scroller.ts";

let height = 800;
let place = 0;
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
    isMotionReduced: () => true,
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
  [height, place] = [800, 0];
  element = document.createElement("div");
  Object.defineProperty(element, "clientHeight", { get: () => height });
  element.scrollTo = (options?: ScrollToOptions | number) => {
    if (typeof options === "object") element.scrollTop = options.top ?? 0;
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

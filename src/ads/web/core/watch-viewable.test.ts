// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeViewport } from "./viewport.fixture.ts";
import { watchViewable } from "./watch-viewable.ts";

let viewport: ReturnType<typeof fakeViewport>;
let element: HTMLElement;
const onViewable = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  viewport = fakeViewport();
  element = document.createElement("div");
  onViewable.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("reports viewable once if half of the element is in view for the whole time", () => {
  watchViewable(element, 1000, onViewable);
  viewport.show(element, 0.5);
  vi.advanceTimersByTime(999);
  expect(onViewable).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onViewable).toHaveBeenCalledTimes(1);
  expect(viewport.isObserved(element)).toBe(false);
});

test("never counts less than half of the element, and restarts after an interruption", () => {
  watchViewable(element, 1000, onViewable);
  viewport.show(element, 0.4);
  vi.advanceTimersByTime(5000);
  viewport.show(element, 0.9);
  vi.advanceTimersByTime(600);
  viewport.show(element, 0.1);
  viewport.show(element, 0.9);
  vi.advanceTimersByTime(999);
  expect(onViewable).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onViewable).toHaveBeenCalledTimes(1);
});

test("ignores a hidden tab", () => {
  watchViewable(element, 1000, onViewable);
  viewport.show(element, 1);
  setVisibility("hidden");
  vi.advanceTimersByTime(5000);
  expect(onViewable).not.toHaveBeenCalled();
  setVisibility("visible");
  vi.advanceTimersByTime(1000);
  expect(onViewable).toHaveBeenCalledTimes(1);
});

test("reports nothing once stopped", () => {
  const stop = watchViewable(element, 1000, onViewable);
  viewport.show(element, 1);
  stop();
  vi.advanceTimersByTime(5000);
  expect(onViewable).not.toHaveBeenCalled();
});

test.each([
  ["five of nine points are covered", () => viewport.cover(5), () => viewport.cover(4)],
  ["it is transparent", () => (element.style.opacity = "0"), () => (element.style.opacity = "1")],
  [
    "it is hidden",
    () => (element.style.visibility = "hidden"),
    () => (element.style.visibility = "visible"),
  ],
])("does not count an ad while %s", (_, hide, reveal) => {
  document.body.append(element);
  hide();
  watchViewable(element, 1000, onViewable);
  viewport.show(element, 1);
  vi.advanceTimersByTime(5000);
  expect(onViewable).not.toHaveBeenCalled();
  reveal();
  vi.advanceTimersByTime(1000);
  expect(onViewable).not.toHaveBeenCalled();
  // The next check detects the ad and starts the timer.
  vi.advanceTimersByTime(200);
  expect(onViewable).toHaveBeenCalledTimes(1);
});

test("restarts the timer after the ad was covered", () => {
  watchViewable(element, 1000, onViewable);
  viewport.show(element, 1);
  vi.advanceTimersByTime(700);
  viewport.cover(9);
  vi.advanceTimersByTime(200);
  viewport.cover(0);
  vi.advanceTimersByTime(1000);
  expect(onViewable).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(onViewable).toHaveBeenCalledTimes(1);
});

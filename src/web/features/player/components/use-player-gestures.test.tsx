// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { act, fireEvent, render } from "@testing-library/react";
import { usePlayerGestures } from "./use-player-gestures.ts";

const actions = {
  onClick: vi.fn(),
  onDoubleClick: vi.fn(),
  onTap: vi.fn(),
  onDoubleTap: vi.fn(),
};

function Surface({ isMenuOpen }: { isMenuOpen: boolean }) {
  return <div data-surface="" {...usePlayerGestures({ ...actions, isMenuOpen })} />;
}

function renderSurface(isMenuOpen = false) {
  render(<Surface isMenuOpen={isMenuOpen} />);
  const surface = document.querySelector("[data-surface]");
  if (surface === null) throw new Error("nothing rendered");
  return surface;
}

/** Renders a surface of 300 px. `atMs` is the time of the event. */
function start() {
  const surface = renderSurface();
  surface.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect;
  return (pointerType: "mouse" | "touch", clientX: number, atMs: number) =>
    act(() => {
      fireEvent.pointerDown(surface);
      const event = new PointerEvent("pointerup", { bubbles: true, clientX, pointerType });
      Object.defineProperty(event, "timeStamp", { value: atMs });
      surface.dispatchEvent(event);
    });
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const action of Object.values(actions)) action.mockReset();
});
afterEach(() => void vi.useRealTimers());

test("handles a mouse click immediately, and a second one as a double click", () => {
  const press = start();
  press("mouse", 150, 1000);
  expect(actions.onClick).toHaveBeenCalledTimes(1);
  press("mouse", 150, 1200);
  expect(actions.onDoubleClick).toHaveBeenCalledTimes(1);
  press("mouse", 150, 2000);
  expect(actions.onDoubleClick).toHaveBeenCalledTimes(1);
});

test("seeks on a double tap on one side and on every further tap", () => {
  const press = start();
  press("touch", 280, 1000);
  press("touch", 280, 1200);
  press("touch", 280, 1400);
  expect(actions.onDoubleTap.mock.calls).toEqual([["right"], ["right"]]);
  vi.advanceTimersByTime(1000);
  expect(actions.onTap).not.toHaveBeenCalled();
});

test("handles taps on different sides as single taps", () => {
  const press = start();
  press("touch", 280, 1000);
  press("touch", 20, 1200);
  vi.advanceTimersByTime(300);
  expect(actions.onDoubleTap).not.toHaveBeenCalled();
  expect(actions.onTap).toHaveBeenCalledTimes(1);
});

test("handles a tap in the middle without a delay", () => {
  const press = start();
  press("touch", 150, 1000);
  vi.advanceTimersByTime(0);
  expect(actions.onTap).toHaveBeenCalledTimes(1);
});

test("ignores a release whose press began elsewhere", () => {
  const surface = renderSurface();
  const mouse = { pointerType: "mouse" };
  fireEvent.pointerUp(surface, mouse);
  fireEvent.pointerDown(surface, mouse);
  fireEvent.pointerLeave(surface);
  fireEvent.pointerUp(surface, mouse);
  expect(actions.onClick).not.toHaveBeenCalled();
});

test("ignores a press that only closes a menu", () => {
  const surface = renderSurface(true);
  fireEvent.pointerDown(surface);
  fireEvent.pointerUp(surface, { pointerType: "mouse" });
  expect(actions.onClick).not.toHaveBeenCalled();
});

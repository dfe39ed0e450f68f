import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { replayEarlyClick, takeEarlyClick } from "./early-click.ts";

class FakeButton {
  isConnected = true;
  readonly click = vi.fn();
}

const page: { earlyClick?: { button: unknown } } = {};

beforeEach(() => {
  vi.stubGlobal("window", page);
  vi.stubGlobal("HTMLElement", FakeButton);
});
afterEach(() => {
  vi.unstubAllGlobals();
  page.earlyClick = undefined;
});

test("replays a click before hydration once after hydration", () => {
  const button = new FakeButton();
  page.earlyClick = { button };
  takeEarlyClick();
  expect(page.earlyClick).toBeUndefined();
  expect(button.click).not.toHaveBeenCalled();
  replayEarlyClick();
  replayEarlyClick();
  expect(button.click).toHaveBeenCalledOnce();
});

test("doesn't replay a click on a removed button", () => {
  const button = new FakeButton();
  button.isConnected = false;
  page.earlyClick = { button };
  takeEarlyClick();
  replayEarlyClick();
  expect(button.click).not.toHaveBeenCalled();
});

test("replays nothing if no button was clicked", () => {
  takeEarlyClick();
  expect(() => replayEarlyClick()).not.toThrow();
});

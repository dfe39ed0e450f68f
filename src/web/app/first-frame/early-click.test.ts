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

test("a button that was clicked before hydration acts once after it", () => {
  const button = new FakeButton();
  page.earlyClick = { button };
  takeEarlyClick();
  expect(page.earlyClick).toBeUndefined();
  expect(button.click).not.toHaveBeenCalled();
  replayEarlyClick();
  replayEarlyClick();
  expect(button.click).toHaveBeenCalledOnce();
});

test("a button that has left the page does not act", () => {
  const button = new FakeButton();
  button.isConnected = false;
  page.earlyClick = { button };
  takeEarlyClick();
  replayEarlyClick();
  expect(button.click).not.toHaveBeenCalled();
});

test("pages that load their scripts at once have no early click", () => {
  takeEarlyClick();
  expect(() => replayEarlyClick()).not.toThrow();
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToFrame } from "./frame-messages.ts";

let frame: HTMLIFrameElement;
beforeEach(() => {
  frame = document.createElement("iframe");
  Object.defineProperty(frame, "contentWindow", { value: new EventTarget() });
});
afterEach(() => document.body.replaceChildren());

const post = (data: unknown, source: unknown = frame.contentWindow) => {
  const event = new MessageEvent("message", { data });
  Object.defineProperty(event, "source", { value: source });
  window.dispatchEvent(event);
};

test("messages of the frame are received until the listener stops", () => {
  const listener = vi.fn();
  const stop = listenToFrame(frame, listener);
  for (const kind of ["load", "follow", "click", "ready"]) post({ spot: kind });
  expect(listener.mock.calls).toEqual([
    [{ kind: "load" }],
    [{ kind: "follow" }],
    [{ kind: "click" }],
    [{ kind: "ready" }],
  ]);
  stop();
  post({ spot: "load" });
  expect(listener).toHaveBeenCalledTimes(4);
});

test.each([
  ["another window", { spot: "size", heightPx: 9 }, window],
  ["no window", { spot: "size", heightPx: 9 }, null],
])("messages of %s are ignored", (_name, data, source) => {
  const listener = vi.fn();
  listenToFrame(frame, listener);
  post(data, source);
  expect(listener).not.toHaveBeenCalled();
});

test.each([[null], ["size"], [{}], [{ spot: "resize" }], [{ kind: "size" }]])(
  "%j is no message",
  (data) => {
    const listener = vi.fn();
    listenToFrame(frame, listener);
    post(data);
    expect(listener).not.toHaveBeenCalled();
  },
);

test.each([
  [90.4, 90],
  [-5, 0],
  [1e9, 4000],
  [Number.NaN, 0],
  ["300", 0],
  [undefined, 0],
])("a reported height of %s is read as %s px", (heightPx, expected) => {
  const listener = vi.fn();
  listenToFrame(frame, listener);
  post({ spot: "size", heightPx, widthPx: 728 });
  expect(listener).toHaveBeenCalledWith({ kind: "size", widthPx: 728, heightPx: expected });
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToFrame } from "./frame-messages.ts";

let frame: HTMLIFrameElement;
let hasBeenActive: boolean;
const handlers = { onSize: vi.fn(), onClick: vi.fn(), onReady: vi.fn() };

beforeEach(() => {
  frame = document.createElement("iframe");
  Object.defineProperty(frame, "contentWindow", { value: new EventTarget() });
  hasBeenActive = false;
  Object.defineProperty(navigator, "userActivation", {
    configurable: true,
    get: () => ({ hasBeenActive, isActive: hasBeenActive }),
  });
  vi.spyOn(document, "activeElement", "get").mockReturnValue(document.body);
  for (const handler of Object.values(handlers)) handler.mockReset();
});
afterEach(() => void vi.restoreAllMocks());

const post = (data: unknown, source: unknown = frame.contentWindow) => {
  const event = new MessageEvent("message", { data });
  Object.defineProperty(event, "source", { value: source });
  window.dispatchEvent(event);
};
const focusFrame = () => vi.spyOn(document, "activeElement", "get").mockReturnValue(frame);

test("receives messages from the frame until the listener stops", () => {
  const stop = listenToFrame(frame, handlers);
  post({ spot: "ready" });
  post({ spot: "size", heightPx: 9, widthPx: 8 });
  expect(handlers.onReady).toHaveBeenCalledTimes(1);
  expect(handlers.onSize).toHaveBeenCalledWith({ heightPx: 9, widthPx: 8 });
  stop();
  post({ spot: "ready" });
  expect(handlers.onReady).toHaveBeenCalledTimes(1);
});

test("counts no click for messages alone, even if there are many", () => {
  listenToFrame(frame, handlers);
  for (let at = 0; at < 20; at += 1) post({ spot: "click" });
  expect(handlers.onClick).not.toHaveBeenCalled();
});

test("counts no click after a gesture elsewhere in the page without focus", () => {
  listenToFrame(frame, handlers);
  hasBeenActive = true;
  post({ spot: "click" });
  expect(handlers.onClick).not.toHaveBeenCalled();
});

test("counts no click for focus gained without a gesture", () => {
  listenToFrame(frame, handlers);
  focusFrame();
  post({ spot: "click" });
  expect(handlers.onClick).not.toHaveBeenCalled();
});

test("counts one click per display if there is focus and a gesture", () => {
  listenToFrame(frame, handlers);
  hasBeenActive = true;
  focusFrame();
  for (let at = 0; at < 3; at += 1) post({ spot: "click" });
  expect(handlers.onClick).toHaveBeenCalledTimes(1);
});

test.each([
  ["another window", { spot: "size", heightPx: 9 }, window],
  ["no window", { spot: "size", heightPx: 9 }, null],
])("ignores messages from %s", (_name, data, source) => {
  listenToFrame(frame, handlers);
  post(data, source);
  expect(handlers.onSize).not.toHaveBeenCalled();
});

test.each([[null], ["size"], [{}], [{ spot: "resize" }], [{ kind: "size" }]])(
  "ignores %j",
  (data) => {
    listenToFrame(frame, handlers);
    post(data);
    for (const handler of Object.values(handlers)) expect(handler).not.toHaveBeenCalled();
  },
);

test.each([
  [90.4, 90],
  [-5, 0],
  [1e9, 4000],
  [Number.NaN, 0],
  ["300", 0],
  [undefined, 0],
])("reads a reported height of %s as %s px", (heightPx, expected) => {
  listenToFrame(frame, handlers);
  post({ spot: "size", heightPx, widthPx: 728 });
  expect(handlers.onSize).toHaveBeenCalledWith({ widthPx: 728, heightPx: expected });
});

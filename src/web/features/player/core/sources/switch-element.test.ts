// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { createFakeMedia } from "../fake-media.fixture.ts";
import { catchWarnings } from "../player.fixture.ts";
import { switchElement } from "./switch-element.ts";

afterEach(() => document.body.replaceChildren());

/** Starts a video that plays at 5 s, and the element that is about to replace it. */
function start({ paused = false } = {}) {
  const playing = { paused, readyState: 4, currentTime: 5, duration: 60 };
  const current = createFakeMedia(playing).element;
  const replacement = createFakeMedia({ readyState: 4, currentTime: 5, duration: 60 });
  const page = document.body.appendChild(document.createElement("main"));
  page.append(current);
  vi.spyOn(document, "createElement").mockReturnValueOnce(replacement.element);
  const run = () =>
    switchElement({
      current,
      adapter: {
        kind: "hls-js",
        attach: () => void replacement.fire("canplay"),
        retry: vi.fn(),
        selectQuality: vi.fn(() => true),
        selectSound: vi.fn(),
        destroy: vi.fn(),
      },
      gain: 1,
      signal: new AbortController().signal,
    });
  return { current, replacement: replacement.element, page, run };
}

test("puts the replacement in the place of the first element", async () => {
  const { current, replacement, page, run } = start();
  expect(await run()).toBe(replacement);
  expect([...page.children]).toEqual([replacement]);
  expect(current.paused).toBe(true);
});

test("keeps the first element if it moved during the switch", async () => {
  const warn = catchWarnings();
  const mini = document.createElement("section");
  const { current, replacement, page, run } = start();
  replacement.addEventListener("play", () => {
    mini.append(current);
    page.remove();
  });
  expect(await run()).toBeNull();
  expect([...mini.children]).toEqual([current]);
  expect(current.paused).toBe(false);
  expect(warn).toHaveBeenCalledOnce();
});

test("keeps the first element if it is opened in picture in picture during the switch", async () => {
  const warn = catchWarnings();
  const { current, replacement, page, run } = start();
  replacement.addEventListener("play", () => {
    Object.assign(document, { pictureInPictureElement: current });
  });
  expect(await run()).toBeNull();
  expect([...page.children]).toEqual([current]);
  expect(current.paused).toBe(false);
  expect(warn).toHaveBeenCalledOnce();
  Reflect.deleteProperty(document, "pictureInPictureElement");
});

test("ends at once if the visitor jumps to another position", async () => {
  const { current, replacement, page, run } = start();
  replacement.addEventListener("play", () => current.dispatchEvent(new Event("seeking")));
  expect(await run()).toBe("interrupted");
  expect([...page.children]).toEqual([current]);
  expect(current.paused).toBe(false);
});

test("ends at once at the end of the video", async () => {
  const { current, replacement, page, run } = start();
  replacement.addEventListener("play", () => {
    Object.defineProperty(current, "ended", { value: true });
    current.pause();
    current.dispatchEvent(new Event("ended"));
  });
  expect(await run()).toBe("interrupted");
  expect([...page.children]).toEqual([current]);
  // It isn't replaced before it is played again.
  expect(await run()).toBe("interrupted");
});

test("follows a paused video to another position", async () => {
  const { current, replacement, run } = start({ paused: true });
  const switched = run();
  current.dispatchEvent(new Event("seeking"));
  expect(await switched).toBe(replacement);
});

test("stays at the frame of a pause while it waits for the position of the second element", async () => {
  const { current, replacement, run } = start();
  replacement.currentTime = 6.5;
  replacement.addEventListener("canplay", () => setTimeout(() => current.pause(), 10));
  expect(await run()).toBe(replacement);
  expect(replacement.paused).toBe(true);
  expect(replacement.currentTime).toBe(5);
});

test("stays at the frame of a pause after the second element has begun to play", async () => {
  const { current, replacement, run } = start();
  replacement.addEventListener("play", () => {
    replacement.currentTime = 5.2;
    current.pause();
  });
  expect(await run()).toBe(replacement);
  expect(replacement.paused).toBe(true);
  expect(replacement.currentTime).toBe(5);
});

import { expect, test, vi } from "vitest";
import script from "./place-video.ts?inline-script";
import { runScript } from "./run-script.fixture.ts";

test("replaces itself with the first video and keeps no reference to it", () => {
  const video = {};
  const window: { firstVideo?: object } = { firstVideo: video };
  const replaceWith = vi.fn();
  runScript(script, { window, document: { currentScript: { replaceWith } } });
  expect(replaceWith).toHaveBeenCalledExactlyOnceWith(video);
  expect(window.firstVideo).toBeUndefined();
});

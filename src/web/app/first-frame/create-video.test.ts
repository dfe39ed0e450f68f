import { expect, test } from "vitest";
import script from "./create-video.ts?inline-script";
import { createRoot, runScript } from "./run-script.fixture.ts";

const data = {
  src: "/f.mp4",
  attributes: { class: "feed-media", autoplay: "", poster: "/p.jpg" },
};

function run(isMotionReduced = false) {
  const video: Record<string, unknown> = {};
  video["setAttribute"] = (name: string, value: string) => void (video[name] = value);
  const root = createRoot();
  const window: { firstVideo?: unknown } = {};
  const timers: { run: () => void; ms: number }[] = [];
  runScript(script, {
    window,
    document: {
      createElement: () => video,
      documentElement: root,
      currentScript: { dataset: { video: JSON.stringify(data) } },
    },
    matchMedia: () => ({ matches: isMotionReduced }),
    setTimeout: (then: () => void, ms: number) => timers.push({ run: then, ms }),
  });
  return { video, root, window, timers };
}

test("creates the muted element with its attributes and requests the file", () => {
  const { video, window } = run();
  expect(video).toMatchObject({ ...data.attributes, muted: true, src: "/f.mp4" });
  expect(window.firstVideo).toBe(video);
});

test("marks the page until the video has a frame, for at most 2.5 s", () => {
  const { root, timers } = run();
  expect([...root.attributes.keys()]).toEqual(["data-first-video"]);
  expect(timers.map(({ ms }) => ms)).toEqual([2500]);
  timers[0]?.run();
  expect(root.attributes.size).toBe(0);
});

test("starts nothing and shows the poster if motion is reduced", () => {
  const { video, window } = run(true);
  expect(video["src"]).toBeUndefined();
  expect(video["poster"]).toBe("/p.jpg");
  expect(window.firstVideo).toBe(video);
});

import { describe, expect, test } from "vitest";
import script from "./load-scripts.ts?inline-script";
import { createRoot, runScript } from "./run-script.fixture.ts";

const scripts = { entry: "/entry.js", preloads: ["/a.js", "/b.js"] };

interface Page {
  video?: { error?: object | null; hasFrameCallback?: boolean } | null;
  isMotionReduced?: boolean;
}

function run({ video = {}, isMotionReduced = false }: Page = {}) {
  const root = createRoot();
  root.setAttribute("data-first-video", "");
  const appended: Record<string, unknown>[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const timers: { run: () => void; ms: number }[] = [];
  let showFrame: (() => void) | undefined;
  const element = video && {
    error: video.error ?? null,
    ...(video.hasFrameCallback === false
      ? {}
      : { requestVideoFrameCallback: (then: () => void) => (showFrame = then) }),
  };
  runScript(script, {
    document: {
      documentElement: root,
      head: { append: (child: Record<string, unknown>) => appended.push(child) },
      createElement: (tag: string) => ({ tag }),
      querySelector: (selector: string) => (selector === "video[autoplay]" ? element : null),
      currentScript: { dataset: { scripts: JSON.stringify(scripts) } },
    },
    matchMedia: () => ({ matches: isMotionReduced }),
    requestAnimationFrame: (then: () => void) => then(),
    setTimeout: (then: () => void, ms: number) => timers.push({ run: then, ms }),
    addEventListener: (name: string, listener: (event: object) => void) =>
      listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  });
  return { root, appended, listeners, timers, showFrame: () => showFrame?.() };
}

const loaded = [
  { tag: "link", rel: "modulepreload", href: "/a.js" },
  { tag: "link", rel: "modulepreload", href: "/b.js" },
  { tag: "script", type: "module", src: "/entry.js", async: false },
];

describe("the app's scripts", () => {
  test("loads the scripts once, with the first frame", () => {
    const page = run();
    expect(page.appended).toEqual([]);
    expect(page.root.attributes.size).toBe(1);
    page.showFrame();
    page.timers[0]?.run();
    expect(page.appended).toEqual(loaded);
    expect(page.root.attributes.size).toBe(0);
  });

  test("waits at most 2.5 s", () => {
    const page = run();
    expect(page.timers.map(({ ms }) => ms)).toEqual([2500]);
    page.timers[0]?.run();
    expect(page.appended).toEqual(loaded);
  });

  test.each(["pointerdown", "keydown", "wheel", "touchstart", "error"])(
    "loads the scripts immediately on %s",
    (name) => {
      const page = run();
      page.listeners.get(name)?.({});
      expect(page.appended).toEqual(loaded);
      expect([...page.listeners.keys()]).toEqual([]);
    },
  );

  test.each<[string, Page]>([
    ["no video starts with the page", { video: null }],
    ["the video has failed", { video: { error: {} } }],
    ["the browser does not tell of frames", { video: { hasFrameCallback: false } }],
    ["motion is reduced", { isMotionReduced: true }],
  ])("loads the scripts immediately if %s", (_, page) => {
    expect(run(page).appended).toEqual(loaded);
  });
});

// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "enableIframePageLoading": true } }
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AdStage, outOfTime } from "#web/features/player/core/ads/ad-provider.ts";
import { runAdBreak } from "#web/features/player/core/ads/ad-break.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { publicAd } from "../core/public-ad.fixture.ts";
import { fakeViewport } from "../core/viewport.fixture.ts";
import type { PlayableAd } from "../vast/vast-ad.ts";
import { createAdBreak } from "./create-ad-break.ts";
import type { AdVideoControls, Creative } from "./creative.ts";

vi.mock("../api/report-ad-event.ts", () => ({ reportAdEvent: vi.fn() }));

const impression: Impression = { adId: "ad", serve: "s", placement: "preroll" };
const beacons: string[] = [];
let container: HTMLElement;
let viewport: ReturnType<typeof fakeViewport>;
let ending: AbortController;
let stage: AdStage;
const onVisible = vi.fn<() => void>();
let outcome: Awaited<ReturnType<typeof runAdBreak>> | null;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(reportAdEvent).mockReset();
  onVisible.mockReset();
  beacons.length = 0;
  viewport = fakeViewport();
  vi.stubGlobal("fetch", (url: string) => {
    beacons.push(url);
    return Promise.resolve(new Response());
  });
  container = document.body.appendChild(document.createElement("div"));
  ending = new AbortController();
  outcome = null;
  stage = {
    container,
    signal: ending.signal,
    isMuted: false,
    volume: 1,
    onVisible,
    onFollow: vi.fn(),
    pausesWhenHidden: false,
    onSoundChange: vi.fn(),
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function play(creative: Creative, values: Parameters<typeof publicAd>[0] = {}): void {
  const ad = publicAd({ title: "Autumn sale", ...values });
  void createAdBreak({ ad, impression, creative })
    .play(stage)
    .then((end) => (outcome = end));
}
const reported = () =>
  vi.mocked(reportAdEvent).mock.calls.flatMap(([shown, event]) => (shown === null ? [] : event));
const get = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const element = container.querySelector<E>(selector);
  if (element === null) throw new Error(`no ${selector} in ${container.innerHTML}`);
  return element;
};
const skip = () => get<HTMLButtonElement>(".spot-break-skip");
function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

describe("a static ad", () => {
  test("shows texts immediately, counts down 5 s and ends after 15 s", async () => {
    play({ kind: "card", imageUrl: null }, { description: "And a line" });
    await pass(0);
    expect(onVisible).toHaveBeenCalledTimes(1);
    expect(get(".spot-break-title").textContent).toBe("Autumn sale");
    expect(get(".spot-break-text").textContent).toBe("And a line");
    expect(get(".spot-break-label").textContent).toMatch(/^Advertisement/);
    const labels = new Set<string>();
    for (let at = 0; at < 50; at += 1) {
      labels.add(skip().textContent);
      expect(skip().disabled).toBe(true);
      await pass(0.1);
    }
    expect([...labels]).toEqual([5, 4, 3, 2, 1].map((seconds) => `Skip in ${seconds}s`));
    await pass(0.1);
    expect([skip().textContent, skip().disabled]).toEqual(["Skip Ad", false]);
    await pass(9.5);
    expect(outcome).toBeNull();
    await pass(0.6);
    expect(outcome).toBe("completed");
    expect(container.innerHTML).toBe("");
    expect(reported()).toEqual(["impression", "start"]);
  });

  test("counts an image once it is loaded, and replaces a failed one with the texts", async () => {
    play({ kind: "card", imageUrl: "/a.png" });
    await pass(2);
    expect(reported()).toEqual([]);
    get("img").dispatchEvent(new Event("error"));
    expect(get(".spot-break-title").textContent).toBe("Autumn sale");
    expect(reported()).toEqual(["impression", "start"]);
  });

  test("ends when skipped without reporting completion", async () => {
    play({ kind: "card", imageUrl: null });
    await pass(5.2);
    skip().click();
    await pass(20);
    expect(outcome).toBe("skipped");
    expect(reported()).toEqual(["impression", "start", "skip"]);
  });

  test("opens a link in a new tab and counts it, and shows no link if the ad has none", async () => {
    play({ kind: "card", imageUrl: null }, { linkUrl: "https://shop.test/" });
    const links = [...container.querySelectorAll("a")];
    expect(links.map(({ target, rel }) => [target, rel])).toEqual([
      ["_blank", "noopener noreferrer sponsored"],
      ["_blank", "noopener noreferrer sponsored"],
    ]);
    // The test must not follow the link.
    container.addEventListener("click", (event) => event.preventDefault());
    links[0]?.click();
    expect(reported()).toContain("click");
    container.replaceChildren();
    play({ kind: "card", imageUrl: null });
    expect(container.querySelector("a")).toBeNull();
  });

  test("shows isolated HTML once its frame has loaded, not on a message", async () => {
    // No requests: happy-dom loads an empty document instead of the ad's.
    vi.spyOn(HTMLIFrameElement.prototype, "src", "get").mockReturnValue("about:blank");
    play({ kind: "html", content: "<p>x</p>" });
    const frame = get<HTMLIFrameElement>("iframe");
    Object.defineProperty(frame, "contentWindow", { value: new EventTarget() });
    expect(frame.getAttribute("sandbox")).toBe(
      "allow-scripts allow-popups allow-popups-to-escape-sandbox",
    );
    expect(frame.getAttribute("src")).toBe("/spots/frame/ad");
    for (const spot of ["load", "size", "click"]) {
      const event = new MessageEvent("message", { data: { spot } });
      Object.defineProperty(event, "source", { value: frame.contentWindow });
      window.dispatchEvent(event);
    }
    expect(onVisible).not.toHaveBeenCalled();
    frame.dispatchEvent(new Event("load"));
    expect(onVisible).toHaveBeenCalledTimes(1);
    expect(reported()).toEqual(["impression", "start"]);
  });

  test("counts two seconds in view as viewable", async () => {
    play({ kind: "card", imageUrl: null });
    await pass(0);
    viewport.show(get(".spot-break"), 1);
    await pass(1.9);
    expect(reported()).not.toContain("viewable");
    await pass(0.2);
    expect(reported()).toContain("viewable");
  });

  test("ends for the content only when the visitor has returned from the ad's page", async () => {
    play({ kind: "card", imageUrl: null }, { linkUrl: "https://shop.test/" });
    await pass(6);
    container.addEventListener("click", (event) => event.preventDefault());
    get(".spot-break-visit").click();
    expect(stage.onFollow).toHaveBeenCalledTimes(1);
    setVisibility("hidden");
    await pass(60);
    expect([outcome, container.innerHTML]).toEqual([null, ""]);
    setVisibility("visible");
    await pass(0);
    expect(outcome).toBe("completed");

    outcome = null;
    play({ kind: "card", imageUrl: null }, { linkUrl: "https://shop.test/" });
    await pass(6);
    get(".spot-break-visit").click();
    skip().click();
    await pass(0);
    expect(outcome).toBe("skipped");
  });

  test("ends in a hidden tab if the visitor followed no link", async () => {
    play({ kind: "card", imageUrl: null });
    setVisibility("hidden");
    await pass(15.2);
    expect(outcome).toBe("completed");
  });

  test("removes the ad immediately when its stage ends", async () => {
    play({ kind: "card", imageUrl: null });
    await pass(1);
    ending.abort();
    await pass(20);
    expect(outcome).toBe("failed");
    expect(container.innerHTML).toBe("");
    expect(reported()).toEqual(["impression", "start"]);
  });
});

describe("a video ad", () => {
  const file = (name: string) => ({
    url: `http://media.test/${name}`,
    type: "video/mp4",
    widthPx: 640,
    heightPx: 360,
    bitrateKbps: 0,
  });
  const vast = (values: Partial<PlayableAd> = {}): PlayableAd => ({
    outcome: "play",
    id: "v",
    title: null,
    sequence: null,
    wrapperCount: 0,
    durationS: 8,
    skip: null,
    mediaFiles: [file("a.mp4")],
    impressions: ["http://t/impression"],
    tracking: new Map(["start", "complete", "skip"].map((event) => [event, [`http://t/${event}`]])),
    notVerified: [],
    progress: [],
    clickThrough: null,
    clickTracking: [],
    customClicks: [],
    viewable: ["http://t/viewable"],
    notViewable: ["http://t/not-viewable"],
    icons: [],
    companions: [],
    errorUrls: ["http://t/error-[ERRORCODE]"],
    ...values,
  });

  let playVideo: ReturnType<typeof vi.fn<() => Promise<void>>>;
  beforeEach(() => {
    playVideo = vi.fn(() => Promise.resolve());
    const prototype = HTMLMediaElement.prototype;
    vi.spyOn(prototype, "play").mockImplementation(() => playVideo());
    vi.spyOn(prototype, "pause").mockImplementation(() => {});
    vi.spyOn(prototype, "load").mockImplementation(() => {});
    vi.spyOn(prototype, "canPlayType").mockReturnValue("maybe");
  });

  /** Moves the video to this position and fires the browser's events. */
  function moveTo(positionS: number, durationS = 8): void {
    const video = get<HTMLVideoElement>("video");
    Object.defineProperty(video, "duration", { value: durationS, configurable: true });
    Object.defineProperty(video, "currentTime", { value: positionS, configurable: true });
    video.dispatchEvent(new Event("timeupdate"));
  }
  const fire = (name: string) => get("video").dispatchEvent(new Event(name));
  const playFiles = (...names: string[]) =>
    play({ kind: "video", vast: null, files: names.map(file) });

  test("counts the first frame, the quartiles and the completion", async () => {
    play({ kind: "video", vast: vast(), files: [file("a.mp4")] });
    await pass(0.5);
    expect(onVisible).not.toHaveBeenCalled();
    for (const positionS of [0.1, 2, 4, 6]) moveTo(positionS);
    expect(onVisible).toHaveBeenCalledTimes(1);
    fire("ended");
    await pass(0);
    expect(outcome).toBe("completed");
    expect(reported()).toEqual([
      "impression",
      "start",
      "firstQuartile",
      "midpoint",
      "thirdQuartile",
      "complete",
    ]);
    expect(beacons).toEqual([
      "http://t/impression",
      "http://t/start",
      "http://t/complete",
      "http://t/not-viewable",
    ]);
  });

  test("cuts a bumper off after 6 s and never shows it with a skip button or other ads", async () => {
    const [first, second] = [vast({ durationS: 60 }), vast({ impressions: ["http://t/second"] })];
    const creative = { kind: "video", vast: first, files: first.mediaFiles } as const;
    play({ ...creative, next: [second], podMaxS: 100 }, { isBumper: true });
    moveTo(0.1, 60);
    await pass(5.9);
    expect([outcome, container.querySelector(".spot-break-skip")]).toEqual([null, null]);
    await pass(0.3);
    expect(outcome).toBe("completed");
    expect(beacons).not.toContain("http://t/second");
    play({ kind: "card", imageUrl: null }, { isBumper: true });
    await pass(6.3);
    expect(container.innerHTML).toBe("");
  });

  test("pauses while the visitor is on the ad's page", async () => {
    play(
      { kind: "video", vast: vast(), files: [file("a.mp4")] },
      { linkUrl: "https://shop.test/" },
    );
    moveTo(0.1);
    const video = get<HTMLVideoElement>("video");
    setVisibility("hidden");
    expect(video.pause).not.toHaveBeenCalled();
    setVisibility("visible");
    container.addEventListener("click", (event) => event.preventDefault(), { once: true });
    get(".spot-break-visit").click();
    const setPaused = (value: boolean) =>
      Object.defineProperty(video, "paused", { value, configurable: true });
    setPaused(false);
    await pass(10);
    setVisibility("hidden");
    expect(video.pause).toHaveBeenCalledTimes(1);
    setPaused(true);
    await pass(60);
    expect(playVideo).toHaveBeenCalledTimes(1);
    setVisibility("visible");
    expect(playVideo).toHaveBeenCalledTimes(2);
    setVisibility("hidden");
    setVisibility("visible");
    expect(playVideo).toHaveBeenCalledTimes(2);
    await pass(4.9);
    expect(outcome).toBeNull();
    await pass(0.3);
    expect(outcome).toBe("completed");
  });

  test("stops its time limits while the page is hidden, if its host wants that", async () => {
    let isPaused = true;
    vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(() => isPaused);
    vi.mocked(HTMLMediaElement.prototype.pause).mockImplementation(() => (isPaused = true));
    playVideo.mockImplementation(async () => void (isPaused = false));
    const creative: Creative = { kind: "video", vast: vast(), files: [file("a.mp4")] };
    const prepared = Promise.resolve(createAdBreak({ ad: publicAd(), impression, creative }));
    const { signal } = ending;
    const sound = { isMuted: true, volume: 1 };
    setVisibility("hidden");
    void runAdBreak({ prepared, container, signal, sound, pausesWhenHidden: true }).then(
      (end) => (outcome = end),
    );
    await pass(0);
    fire("play");
    expect(isPaused).toBe(true);
    await pass(60);
    setVisibility("visible");
    expect([isPaused, beacons]).toEqual([false, []]);
    moveTo(0.1, 60);
    await pass(10);
    setVisibility("hidden");
    await pass(60);
    expect(outcome).toBeNull();
    setVisibility("visible");
    await pass(4.9);
    expect([isPaused, outcome]).toEqual([false, null]);
    await pass(0.3);
    expect(outcome).toBe("completed");
  });

  test("cuts the ad off after 15 s and reports neither complete nor skip", async () => {
    play({ kind: "video", vast: vast({ durationS: 60 }), files: [file("a.mp4")] });
    moveTo(0.1, 60);
    await pass(14.9);
    expect(outcome).toBeNull();
    await pass(0.3);
    expect(outcome).toBe("completed");
    expect(reported().filter((event) => event === "complete" || event === "skip")).toEqual([]);
    expect(beacons.filter((url) => /complete|skip/.test(url))).toEqual([]);
  });

  test("uses the ad's skip offset instead of 5 s", async () => {
    const skippable = vast({ skip: { kind: "percent", percent: 25 } });
    play({ kind: "video", vast: skippable, files: [file("a.mp4")] });
    moveTo(0.1);
    await pass(0.2);
    expect(skip().textContent).toBe("Skip in 2s");
    moveTo(2);
    await pass(0.2);
    skip().click();
    await pass(0);
    expect(outcome).toBe("skipped");
    expect(beacons).toContain("http://t/skip");
    expect(beacons).not.toContain("http://t/complete");
  });

  test("shows an icon from its offset for its duration", async () => {
    const icon = (program: string, offsetS: number, durationS: number | null) => ({
      ...{ program, offsetS, durationS, widthPx: 20, heightPx: 20 },
      resource: { kind: "image", url: `http://t/${program}.png` } as const,
      ...{ clickThrough: null, clickTracking: [], viewTracking: [] },
    });
    const icons = [icon("whole", 0, null), icon("late", 2, 3)];
    play({ kind: "video", vast: vast({ icons }), files: [file("a.mp4")] });
    const seen: string[][] = [];
    for (const positionS of [0.1, 1.9, 2, 4.9, 5, 3]) {
      moveTo(positionS);
      await pass(0.2);
      const images = container.querySelectorAll<HTMLImageElement>(".spot-break-icons img");
      seen.push(Array.from(images, ({ alt }) => alt));
    }
    const both = ["whole", "late"];
    expect(seen).toEqual([["whole"], ["whole"], both, both, ["whole"], ["whole"]]);
  });

  test("reports that the visitor followed the link of an icon", async () => {
    const icon = {
      ...{ program: "choices", offsetS: 0, durationS: null, widthPx: 20, heightPx: 20 },
      resource: { kind: "image", url: "http://t/icon.png" } as const,
      ...{ clickThrough: "https://choices.test/?at=[ADPLAYHEAD]" },
      ...{ clickTracking: ["http://t/choices"], viewTracking: [] },
    };
    play({ kind: "video", vast: vast({ icons: [icon] }), files: [file("a.mp4")] });
    moveTo(0.1);
    await pass(0.2);
    const link = get<HTMLAnchorElement>(".spot-break-icons a");
    expect(link.href).toBe("https://choices.test/?at=-1");
    link.addEventListener("click", (event) => event.preventDefault());
    link.click();
    expect(stage.onFollow).toHaveBeenCalledTimes(1);
    // A middle click follows the link, a right click doesn't.
    for (const button of [1, 2]) link.dispatchEvent(new MouseEvent("auxclick", { button }));
    expect(beacons.filter((url) => url === "http://t/choices")).toHaveLength(2);
  });

  test("tries the next file after a failure, and shows a message if there is none", async () => {
    playFiles("a.mp4", "b.mp4");
    expect(get<HTMLVideoElement>("video").src).toBe("http://media.test/a.mp4");
    fire("error");
    expect(get<HTMLVideoElement>("video").src).toBe("http://media.test/b.mp4");
    fire("error");
    expect(container.textContent).toBe("Your browser does not support video ads");
    expect(onVisible).toHaveBeenCalledTimes(1);
    await pass(1.6);
    expect(outcome).toBe("failed");
    expect(reported()).toEqual(["error"]);
  });

  test("shows the message within the 3 s that the content waits", async () => {
    playFiles("a.mp4");
    await pass(2.9);
    fire("error");
    await pass(0.2);
    expect(outcome).toBe("failed");
  });

  test("reports error 402 if there is no first frame in time, but not if the visitor leaves", async () => {
    play({ kind: "video", vast: vast(), files: [file("a.mp4")] });
    await pass(1);
    ending.abort(outOfTime());
    await pass(0);
    expect(outcome).toBe("failed");
    expect(beacons).toEqual(["http://t/error-402"]);
    expect(vi.mocked(reportAdEvent).mock.calls).toEqual([[impression, "error", "media_timeout"]]);

    beacons.length = 0;
    ending = new AbortController();
    stage = { ...stage, signal: ending.signal };
    play({ kind: "video", vast: vast(), files: [file("a.mp4")] });
    await pass(3);
    ending.abort();
    await pass(0);
    expect(beacons).toEqual([]);
  });

  test("plays muted without a gesture, and the sound button also unmutes the content", () => {
    vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
    playFiles("a.mp4");
    expect(get<HTMLVideoElement>("video").muted).toBe(true);
    fire("volumechange");
    expect(stage.onSoundChange).not.toHaveBeenCalled();
    const button = get(".spot-break-sound");
    expect(button.ariaLabel).toBe("Unmute");
    button.click();
    fire("volumechange");
    expect(stage.onSoundChange).toHaveBeenCalledWith({ isMuted: false, volume: 1 });
  });

  test("plays muted if the browser forbids sound, without muting the content", async () => {
    playVideo.mockRejectedValueOnce(new DOMException("no gesture", "NotAllowedError"));
    playFiles("a.mp4");
    await pass(0);
    expect(get<HTMLVideoElement>("video").muted).toBe(true);
    expect(playVideo).toHaveBeenCalledTimes(2);
    fire("volumechange");
    expect(stage.onSoundChange).not.toHaveBeenCalled();
  });

  test("mutes and unmutes with the sound button", () => {
    playFiles("a.mp4");
    const button = get(".spot-break-sound");
    expect(button.ariaLabel).toBe("Mute");
    button.click();
    expect([get<HTMLVideoElement>("video").muted, button.ariaLabel]).toEqual([true, "Unmute"]);
  });

  test("lets its host change the sound, and pause it while it is visible", () => {
    const creative: Creative = { kind: "video", vast: null, files: [file("a.mp4")] };
    const onVideo = vi.fn<(video: AdVideoControls) => void>();
    void createAdBreak({ ad: publicAd(), impression, creative, onVideo }).play(stage);
    const [[controls] = []] = onVideo.mock.calls;
    const video = get<HTMLVideoElement>("video");
    controls?.setMuted(true);
    fire("volumechange");
    expect([video.muted, get(".spot-break-sound").ariaLabel]).toEqual([true, "Unmute"]);

    Object.defineProperty(video, "paused", { value: false, configurable: true });
    controls?.togglePlay();
    expect(video.pause).not.toHaveBeenCalled();
    moveTo(0.1);
    controls?.togglePlay();
    expect(video.pause).toHaveBeenCalledTimes(1);
    Object.defineProperty(video, "paused", { value: true });
    controls?.togglePlay();
    expect(playVideo).toHaveBeenCalledTimes(2);
  });

  const named = (name: string, durationS = 8) =>
    vast({ durationS, impressions: [`http://t/${name}`], tracking: new Map(), notViewable: [] });
  const playPod = (first: PlayableAd, ...next: PlayableAd[]) =>
    play({ kind: "video", vast: first, files: first.mediaFiles, next, podMaxS: 30 });
  async function watch(seconds: number): Promise<void> {
    moveTo(0.1, seconds);
    await pass(seconds);
    fire("ended");
    await pass(0);
  }

  test("plays the ads of a pod in sequence if they end within 30 s", async () => {
    playPod(named("one"), named("two", 15), named("three", 15));
    await watch(8);
    expect([outcome, beacons]).toEqual([null, ["http://t/one"]]);
    await watch(14);
    expect(outcome).toBe("completed");
    expect(beacons).toEqual(["http://t/one", "http://t/two"]);
    // Our server counts the ad once, with the first ad of its pod.
    expect(reported().filter((event) => event === "impression")).toHaveLength(1);
  });

  test("counts clicks on later ads of a pod, and only the first ad shown as an impression", async () => {
    playPod(named("one"), { ...named("two"), clickThrough: "http://shop.test/" });
    await watch(8);
    moveTo(0.1);
    container.addEventListener("click", (event) => event.preventDefault(), { once: true });
    get(".spot-break-visit").click();
    expect(reported()).toEqual(["impression", "start", "complete", "click"]);
    fire("ended");
    await pass(0);

    vi.mocked(reportAdEvent).mockReset();
    playPod(named("broken"), named("good"));
    fire("error");
    await pass(1.6);
    moveTo(0.1);
    expect(reported()).toEqual(["error", "impression", "start"]);
  });

  test("ends the pod on a skip, and skips an ad that shows nothing within 3 s", async () => {
    playPod(named("one"), named("hanging"), named("three"));
    await watch(4);
    await pass(3.1);
    expect(beacons).toEqual(["http://t/one", "http://t/error-402"]);
    await watch(6);
    expect([outcome, beacons.at(-1)]).toEqual(["completed", "http://t/three"]);

    outcome = null;
    playPod(named("four"), named("five"));
    moveTo(0.1);
    await pass(5.2);
    skip().click();
    await pass(0);
    expect([outcome, beacons.at(-1)]).toEqual(["skipped", "http://t/four"]);
  });
});

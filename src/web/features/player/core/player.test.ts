// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakeMedia, settle } from "./fake-media.fixture.ts";
import { resumePoints } from "./resume-points.ts";
import { catchWarnings, otherSource, startPlayer, videoSource } from "./player.fixture.ts";
import { emptyState, chooseOverlay } from "./player-state.ts";

test("covers the video while it loads and buffers", async () => {
  const { player, media } = startPlayer();
  const overlay = () => chooseOverlay(player.store.get());
  player.load(videoSource);
  player.play();
  await settle();
  expect(overlay()).toBe("loading");
  await media.becomePlayable();
  expect(overlay()).toBe("none");
  await media.fire("waiting");
  expect(overlay()).toBe("loading");
  await media.fire("playing");
  expect(overlay()).toBe("none");
  player.pause();
  await settle();
  expect(overlay()).toBe("play");
});

test("offers to play once the browser loads no more by itself, also after it refused to play", async () => {
  const { player, media } = startPlayer();
  const overlay = () => chooseOverlay(player.store.get());
  player.load(videoSource);
  expect(overlay()).toBe("loading");
  await media.fire("suspend");
  expect(overlay()).toBe("play");
  player.load(otherSource);
  expect(overlay()).toBe("loading");
  media.refuseNextPlay("NotAllowedError");
  player.play();
  await settle();
  await media.fire("suspend");
  expect(overlay()).toBe("play");
  player.play();
  await settle();
  await media.fire("waiting");
  await media.fire("suspend");
  expect(overlay()).toBe("loading");
});

test("keeps the position while the element loads again after a fault", async () => {
  const { player, media } = startPlayer({ resumePoints });
  player.load(videoSource);
  await media.becomePlayable(600);
  player.play();
  await settle();
  await media.playTo(300);
  // Like hls.js, which sets the position only after the first segment.
  media.element.src = "/media/one.mp4";
  await media.fire("timeupdate");
  await media.fire("pause");
  window.dispatchEvent(new Event("pagehide"));
  expect(player.store.get().positionS).toBe(300);
  expect(resumePoints.find(videoSource.id, 600)).toBe(300);
});

test("skips from the last position while the connection is lost", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(600);
  await media.playTo(200);
  media.element.load();
  player.seekBy(10);
  expect(player.store.get().positionS).toBe(210);
});

test("resets all state except sound and speed on a source change", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable();
  player.play();
  await settle();
  await media.playTo(120);
  player.selectQuality(720);
  player.load(otherSource);
  expect(player.store.get()).toEqual({ ...emptyState, sourceId: "v2", durationS: 30 });
  expect(media.element.getAttribute("src")).toBe("/media/two.mp4");
  await media.fire("canplay");
  expect(media.element.paused).toBe(true);
});

test("empties the element if there is no source", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable();
  player.load(null);
  expect(player.store.get()).toEqual(emptyState);
  expect(media.element.hasAttribute("src")).toBe(false);
});

test("ends buffering once the clock advances, even without an event", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable();
  player.play();
  await settle();
  await media.playTo(5);
  await media.fire("waiting");
  const isBuffering = () => player.store.get().isBuffering;
  await media.playTo(5);
  // The last frames before the stall.
  await media.playTo(5.1);
  expect(isBuffering()).toBe(true);
  await media.playTo(5.3);
  expect(isBuffering()).toBe(false);
});

test("only logs a failed play", async () => {
  const warn = catchWarnings();
  const { player, media } = startPlayer();
  player.load(videoSource);
  media.refuseNextPlay("NotSupportedError");
  player.play();
  await settle();
  expect(warn).toHaveBeenCalledWith("playback failed", expect.any(DOMException));
  expect(player.store.get().fault).toBeNull();
});

test("doesn't log an aborted play", async () => {
  const warn = catchWarnings();
  const { player, media } = startPlayer();
  player.load(videoSource);
  media.refuseNextPlay("AbortError");
  player.play();
  await settle();
  expect(warn).not.toHaveBeenCalled();
  expect(chooseOverlay(player.store.get())).toBe("loading");
});

test("starts muted if autoplay is refused and removes the note when the visitor unmutes", async () => {
  const onSilenced = vi.fn();
  const save = vi.fn();
  const settings = { initial: () => ({ volume: 1, isMuted: false, rate: 1 }), save };
  const { player, media } = startPlayer({ onSilenced, settings });
  player.load(videoSource);
  await media.becomePlayable();
  media.refuseNextPlay("NotAllowedError");
  player.play({ isAutoplay: true });
  await settle();
  expect(media.element).toMatchObject({ paused: false, muted: true });
  expect(player.store.get().isMutedByBrowser).toBe(true);
  expect(onSilenced).toHaveBeenCalledTimes(1);
  // The browser made this choice, not the visitor, so it isn't saved.
  expect(save).not.toHaveBeenCalled();
  player.setMuted(false);
  await settle();
  expect(player.store.get().isMutedByBrowser).toBe(false);
  expect(save).toHaveBeenCalledWith({ isMuted: false, volume: 1 });
});

test.each([
  ["without a source", {}, 2],
  // The player first continues the autoplay of the page.
  ["that the page muted", { currentSrc: "/media/one.mp4", muted: true }, 3],
])("plays with sound after a refused autoplay of an element %s", async (_, state, refusals) => {
  const onSilenced = vi.fn();
  const media = createFakeMedia(state);
  media.element.autoplay = true;
  const { player } = startPlayer({ onSilenced }, media);
  media.refuseNextPlay("NotAllowedError", refusals);
  player.load(videoSource);
  await media.becomePlayable();
  player.play({ isAutoplay: true });
  await settle();
  expect(chooseOverlay(player.store.get())).toBe("play");
  player.play();
  await settle();
  expect(media.element).toMatchObject({ paused: false, muted: false });
  expect(player.store.get()).toMatchObject({ isMuted: false, isMutedByBrowser: false });
  expect(onSilenced).not.toHaveBeenCalled();
});

test("waits for a gesture if play is refused", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  media.refuseNextPlay("NotAllowedError");
  player.play();
  await settle();
  await media.becomePlayable();
  expect(chooseOverlay(player.store.get())).toBe("play");
  expect(media.element.muted).toBe(false);
});

test("shows the end and restarts from zero on play", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(30);
  player.play();
  await settle();
  await media.playToEnd();
  expect(player.store.get()).toMatchObject({ isEnded: true, isPaused: true, isBuffering: false });
  player.play();
  await settle();
  expect(media.element.currentTime).toBe(0);
  expect(player.store.get().isEnded).toBe(false);
});

test("repeats a looping video from zero without showing the end", async () => {
  const { player, media } = startPlayer({ loopsAtEnd: () => true });
  player.load(videoSource);
  await media.becomePlayable(30);
  player.play();
  await settle();
  await media.playToEnd();
  await settle();
  expect(media.element).toMatchObject({ currentTime: 0, paused: false });
  expect(player.store.get().isEnded).toBe(false);
});

test("saves the volume, mute and speed and applies them to a new source", async () => {
  const saved = { volume: 0.3, isMuted: false, rate: 1.5 };
  const { player, media } = startPlayer({
    settings: { initial: () => saved, save: (change) => Object.assign(saved, change) },
  });
  player.load(videoSource);
  expect(media.element).toMatchObject({ volume: 0.3, playbackRate: 1.5 });
  player.setVolume(0);
  player.setRate(2);
  await settle();
  expect(saved).toMatchObject({ volume: 0, rate: 2 });
  player.setMuted(true);
  player.setMuted(false);
  expect(media.element.volume).toBe(0.5);
  await settle();
  player.load(otherSource);
  expect(player.store.get()).toMatchObject({ volume: 0.5, rate: 2, isMuted: false });
});

test("limits seeks to the video", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(600);
  player.seekTo(700);
  expect(media.element.currentTime).toBe(600);
  player.seekBy(-1000);
  expect(media.element.currentTime).toBe(0);
});

test("resumes a video where the visitor stopped and starts over on request", async () => {
  const { player, media } = startPlayer({ resumePoints });
  player.load(videoSource);
  await media.becomePlayable(600);
  player.play();
  await settle();
  await media.playTo(200);
  player.pause();
  await settle();
  player.load(otherSource);
  player.load(videoSource);
  expect(media.element.currentTime).toBe(200);
  expect(player.store.get().resumedAtS).toBe(200);
  player.startOver();
  expect(media.element.currentTime).toBe(0);
  expect(player.store.get().resumedAtS).toBeNull();
});

test("ignores a link or resume position past the end of a video that became shorter", () => {
  resumePoints.save(videoSource.id, 300, 600);
  const startAt = (durationS: number, linkedS: number | null = null) => {
    const { player, media } = startPlayer({ resumePoints, findLinkedStart: () => linkedS });
    player.load({ ...videoSource, durationS });
    return media.element.currentTime;
  };
  expect(startAt(310)).toBe(300);
  expect(startAt(309)).toBe(0);
  expect(startAt(309, 308)).toBe(308);
  expect(startAt(309, 309)).toBe(0);
  // The duration isn't known.
  expect(startAt(0, 308)).toBe(308);
});

test("preserves the resume position if the visitor leaves before the video has loaded", async () => {
  resumePoints.save(videoSource.id, 200, 600);
  const { player } = startPlayer({ resumePoints });
  player.load(videoSource);
  player.play();
  await settle();
  window.dispatchEvent(new Event("pagehide"));
  expect(resumePoints.find(videoSource.id, 600)).toBe(200);
});

test("reports 0 watched seconds on load and the duration at the end", async () => {
  const { player, media, reports } = startPlayer();
  player.load(videoSource);
  expect(reports).toEqual([{ watchTime: 0, completed: false }]);
  await media.becomePlayable(30);
  player.play();
  await settle();
  await media.playToEnd();
  expect(reports[1]).toMatchObject({ watchTime: 30, completed: true });
});

test("waits for beginWatch before reporting if requested", () => {
  const { player, reports } = startPlayer({ reportsOnLoad: false });
  player.load(videoSource);
  expect(reports).toEqual([]);
  player.beginWatch();
  expect(reports).toEqual([{ watchTime: 0, completed: false }]);
});

test("reports the watched seconds when the visitor leaves the page", async () => {
  const { player, media, reports } = startPlayer();
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  player.load(videoSource);
  await media.becomePlayable(600);
  player.play();
  await settle();
  await media.playTo(1);
  now.mockReturnValue(4000);
  await media.playTo(5);
  window.dispatchEvent(new Event("pagehide"));
  expect(reports.at(-1)).toMatchObject({ watchTime: 4, completed: false });
});

test("reports the parts at the start of a play and of each repetition", async () => {
  const { player, media, reports } = startPlayer({ loopsAtEnd: () => true });
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const playTo = (positionS: number) => {
    now.mockReturnValue(performance.now() + 250);
    return media.playTo(positionS);
  };
  player.load({ ...videoSource, durationS: 10 });
  await vi.dynamicImportSettled();
  await media.becomePlayable(10);
  player.play();
  await settle();
  await playTo(0.25);
  now.mockReturnValue(performance.now() + 9750);
  await media.playToEnd();
  await settle();
  expect(reports.at(-1)?.bins).toBe("5".repeat(50));
  await playTo(0.25);
  const lastMove = playTo(0.64);
  player.pause();
  await lastMove;
  await settle();
  window.dispatchEvent(new Event("pagehide"));
  expect(reports.at(-1)?.bins).toBe(`aaa${"5".repeat(47)}`);
});

test("continues an element that the page has started", async () => {
  const url = new URL("/media/one.mp4", document.baseURI).href;
  const media = createFakeMedia({
    currentSrc: url,
    currentTime: 1.2,
    duration: 600,
    paused: false,
    readyState: 4,
    networkState: 2,
    muted: true,
  });
  media.element.setAttribute("src", url);
  const { player } = startPlayer({ startAtS: 0.033 }, media);
  player.load(videoSource);
  expect(media.element).toMatchObject({ currentTime: 1.2, paused: false, muted: true });
  expect(player.store.get()).toMatchObject({
    isPaused: false,
    hasStarted: true,
    isPlayable: true,
    isMutedByBrowser: true,
    positionS: 1.2,
  });
});

test("waits at the start position of a source until playback starts", () => {
  const { player, media } = startPlayer({ startAtS: 0.033 });
  player.load(videoSource);
  expect(media.element.currentTime).toBe(0.033);
});

test("sets the element's poster only on request", () => {
  const shown = startPlayer();
  shown.player.load(videoSource);
  expect(shown.media.element.poster).toBe("/media/one.jpg");
  const hidden = startPlayer({ showsPoster: false });
  hidden.player.load(videoSource);
  expect(hidden.media.element.poster).not.toBe("/media/one.jpg");
});

test("reports a source without a file or playlist as unsupported", async () => {
  const { player } = startPlayer();
  player.load({ ...videoSource, progressiveUrl: null });
  await settle();
  expect(player.store.get().fault).toMatchObject({ kind: "unsupported" });
});

test("does nothing after destroy", async () => {
  const { player, media, reports } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable();
  player.destroy();
  player.play();
  await settle();
  window.dispatchEvent(new Event("pagehide"));
  expect(media.element.paused).toBe(true);
  expect(media.element.hasAttribute("src")).toBe(false);
  expect(reports).toHaveLength(1);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval"] }));
afterEach(() => void vi.useRealTimers());

test("reports a silent server as a fault and retries from the same position", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(600);
  player.play();
  await settle();
  await media.playTo(100);
  await media.fire("waiting");
  await vi.advanceTimersByTimeAsync(6000);
  expect(player.store.get().fault).toEqual({ kind: "stalled", isRetrying: true });
  expect(chooseOverlay(player.store.get())).toBe("fault");
  await vi.advanceTimersByTimeAsync(500);
  expect(media.element.currentTime).toBe(100);
  expect(media.element.paused).toBe(false);
  await media.becomePlayable(600);
  expect(player.store.get().fault).toBeNull();
});

test("reloads a video that has stopped without an event", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(600);
  player.play();
  await settle();
  for (let positionS = 100; positionS < 110; positionS += 1) {
    await media.playTo(positionS);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(player.store.get().fault).toBeNull();
  await vi.advanceTimersByTimeAsync(6000);
  expect(player.store.get().fault).toEqual({ kind: "stalled", isRetrying: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(media.element.currentTime).toBe(109);
  expect(media.element.paused).toBe(false);
});

test("reports no fault while a paused video buffers", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.fire("waiting");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(player.store.get().fault).toBeNull();
});

/** Plays a video until it waits for data. */
async function startBuffering() {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable();
  player.play();
  await settle();
  await media.fire("waiting");
  return { player, media };
}

test("stays paused if the browser's own controls pause a video that buffers", async () => {
  const { player, media } = await startBuffering();
  media.element.pause();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(player.store.get().fault).toBeNull();
  expect(media.element.paused).toBe(true);
});

test("stays paused if the browser pauses a video that loads again after a fault", async () => {
  const { player, media } = await startBuffering();
  await vi.advanceTimersByTimeAsync(6000);
  player.retry();
  expect(media.element).toMatchObject({ readyState: 0, paused: false });
  await settle();
  media.element.pause();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(media.element.paused).toBe(true);
});

test("plays on after a fault that makes the browser pause", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { player, media } = startPlayer();
  player.load(videoSource);
  player.play();
  await settle();
  await media.failToLoad();
  await settle();
  expect(player.store.get()).toMatchObject({ isPaused: true, fault: { kind: "offline" } });
  window.dispatchEvent(new Event("online"));
  expect(media.element.paused).toBe(false);
});

test("plays a loud video more quietly than the volume shown and stored", async () => {
  const saved: unknown[] = [];
  const { player, media } = startPlayer({
    settings: {
      initial: () => ({ volume: 0.8, isMuted: false, rate: 1 }),
      save: (change) => saved.push(change),
    },
  });
  player.load({ ...videoSource, fileGain: 0.5 });
  await settle();
  expect(media.element.volume).toBeCloseTo(0.4);
  expect(player.store.get().volume).toBeCloseTo(0.8);
  player.setVolume(0.6);
  await settle();
  expect(media.element.volume).toBeCloseTo(0.3);
  expect(player.store.get().volume).toBeCloseTo(0.6);
  expect(saved.at(-1)).toMatchObject({ volume: expect.closeTo(0.6) });
});

test("uses the factor of the next video in the same element", async () => {
  const { player, media } = startPlayer();
  player.load({ ...videoSource, fileGain: 0.25 });
  player.load({ ...videoSource, id: "v3" });
  await settle();
  expect(media.element.volume).toBe(1);
  expect(player.store.get().volume).toBe(1);
});

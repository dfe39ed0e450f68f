// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  createFakeMedia,
  settle,
  type FakeMedia,
} from "#web/features/player/core/fake-media.fixture.ts";
import { toPlayerSource } from "#web/features/player/core/sources/player-source.ts";
import { activateClip, chooseClipSource, createClipPlayer } from "./clip-player.ts";
import { feedVideo } from "./feed-items.fixture.ts";

const clip = feedVideo("a", {
  videoUrl: "/a.mp4",
  smallVideoUrl: "/small.mp4",
  posterUrl: "/a.jpg",
});
const reduceMotion = (isReduced: boolean) =>
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: isReduced } as MediaQueryList);
const fetches = () => vi.mocked(fetch).mock.calls.map(([url, init]) => [url, init?.body]);

function startClip(media: FakeMedia = createFakeMedia({ muted: true })) {
  const onSilenced = vi.fn();
  const player = createClipPlayer(media.element, onSilenced);
  onTestFinished(() => player.destroy());
  player.load(chooseClipSource(clip, media.element, true));
  return { player, media, onSilenced };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(new Response("{}"))),
  );
  reduceMotion(false);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("starts the active clip after 300 ms", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(299);
  expect(media.element.paused).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(media.element.paused).toBe(false);
});

test("neither starts nor counts a clip that the visitor skips", async () => {
  const { player, media } = startClip();
  const leave = activateClip(player);
  await vi.advanceTimersByTimeAsync(200);
  leave();
  await vi.advanceTimersByTimeAsync(1000);
  expect(media.element.paused).toBe(true);
  expect(fetches()).toEqual([]);
});

test("counts a viewing when the clip starts, not when it is loaded", async () => {
  const { player } = startClip();
  expect(fetches()).toEqual([]);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  expect(fetches()).toEqual([
    ["/api/videos/a/watch", '{"watchTime":0,"completed":false,"origin":"feed"}'],
  ]);
});

test("pauses an inactive clip", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  const leave = activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  leave();
  expect(media.element.paused).toBe(true);
});

test("repeats an ended clip from zero without ads", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  await media.playToEnd();
  await settle();
  expect(media.element).toMatchObject({ currentTime: 0, paused: false });
  expect(player.store.get()).toMatchObject({ isEnded: false, adSlot: null });
});

test("starts nothing automatically with reduced motion and stops at the end", async () => {
  reduceMotion(true);
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(1000);
  expect(media.element.paused).toBe(true);
  player.toggle();
  await settle();
  await media.playToEnd();
  await settle();
  expect(media.element).toMatchObject({ currentTime: 10, paused: true });
  expect(player.store.get().isEnded).toBe(true);
  player.toggle();
  await settle();
  expect(media.element.paused).toBe(false);
});

test("continues the page's clip without a delay", async () => {
  const url = new URL("/a.mp4", document.baseURI).href;
  const media = createFakeMedia({
    currentSrc: url,
    currentTime: 0.8,
    paused: false,
    readyState: 4,
    networkState: 2,
    muted: true,
  });
  const { player } = startClip(media);
  expect(media.element).toMatchObject({ currentTime: 0.8, paused: false, muted: true });
  activateClip(player);
  await vi.advanceTimersByTimeAsync(0);
  expect(fetches()).toHaveLength(1);
});

test("starts the next clip in the slot from its beginning", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  await media.playTo(4);
  player.load({ ...toPlayerSource(clip, true), id: "b", progressiveUrl: "/b.mp4" });
  expect(media.element.currentTime).toBeLessThan(0.1);
  expect(player.store.get()).toMatchObject({ sourceId: "b", hasStarted: false, isPlayable: false });
});

test("pauses the clip while the page is hidden", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(media.element.paused).toBe(true);
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(media.element.paused).toBe(false);
});

test("keeps playing in picture-in-picture while the page is hidden, and pauses after it", async () => {
  const { player, media } = startClip();
  document.body.append(media.element);
  onTestFinished(() => media.element.remove());
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  await media.fire("enterpictureinpicture");
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(media.element.paused).toBe(false);
  media.element.dispatchEvent(new Event("leavepictureinpicture", { bubbles: true }));
  expect(media.element.paused).toBe(true);
  await settle();
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(media.element.paused).toBe(false);
});

test("stays in picture-in-picture when the element shows another clip", async () => {
  const { player, media } = startClip();
  await media.fire("enterpictureinpicture");
  Object.defineProperty(document, "pictureInPictureElement", {
    value: media.element,
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(document, "pictureInPictureElement"));
  player.load({ ...toPlayerSource(clip, true), id: "b" });
  expect(player.store.get().isPictureInPicture).toBe(true);
});

test("doesn't start a clip again that the visitor paused in picture-in-picture", async () => {
  const { player, media } = startClip();
  await media.becomePlayable(10);
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  const visibility = vi.spyOn(document, "visibilityState", "get");
  for (const state of ["hidden", "visible"] as const) {
    visibility.mockReturnValue(state);
    document.dispatchEvent(new Event("visibilitychange"));
    await settle();
  }
  await media.fire("enterpictureinpicture");
  player.pause();
  await settle();
  visibility.mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(media.element.paused).toBe(true);
});

test("waits to start and count a clip until the page is visible", async () => {
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const media = createFakeMedia({ muted: true });
  const playing = createFakeMedia({ currentSrc: "/a.mp4", paused: false, readyState: 4 });
  for (const { player } of [startClip(media), startClip(playing)]) activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  expect([media.element.paused, playing.element.paused, fetches()]).toEqual([true, true, []]);
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  expect([media.element.paused, playing.element.paused]).toEqual([false, false]);
  expect(fetches()).toHaveLength(2);
});

test("mutes the whole feed if the browser refuses sound", async () => {
  const media = createFakeMedia();
  const { player, onSilenced } = startClip(media);
  await media.becomePlayable(10);
  media.refuseNextPlay("NotAllowedError");
  activateClip(player);
  await vi.advanceTimersByTimeAsync(300);
  expect(media.element).toMatchObject({ muted: true, paused: false });
  expect(onSilenced).toHaveBeenCalledTimes(1);
});

test("sets no poster on the element", () => {
  expect(startClip().media.element.poster).not.toBe("/a.jpg");
});

test("loads the small rendition to save data, but never loads a clip twice", () => {
  const media = createFakeMedia();
  const urlOf = () => chooseClipSource(clip, media.element, true).progressiveUrl;
  expect(urlOf()).toBe("/a.mp4");
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  expect(urlOf()).toBe("/small.mp4");
  media.element.src = "/a.mp4";
  expect(urlOf()).toBe("/a.mp4");
  Reflect.deleteProperty(navigator, "connection");
});

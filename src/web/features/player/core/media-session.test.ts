// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakeMedia, settle } from "./fake-media.fixture.ts";
import { connectMediaSession, connectMoves } from "./media-session.ts";
import { createTestAds, otherSource, startPlayer, videoSource } from "./player.fixture.ts";

const handlers = new Map<string, MediaSessionActionHandler | null>();
const mediaSession = {
  metadata: null as { title: string; artist: string } | null,
  playbackState: "none",
  setActionHandler: (name: string, handler: MediaSessionActionHandler | null) =>
    void handlers.set(name, handler),
  setPositionState: vi.fn(),
};

beforeEach(() => {
  vi.stubGlobal("navigator", { onLine: true, mediaSession });
  vi.stubGlobal("MediaMetadata", function MediaMetadata(this: object, init: object) {
    Object.assign(this, init);
  });
});
afterEach(() => vi.unstubAllGlobals());

test("shows the current video in the system and handles its media keys", async () => {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(600);
  const next = vi.fn();
  const disconnect = connectMediaSession(player, videoSource, "Kinora", () => next);
  handlers.get("nexttrack")?.({ action: "nexttrack" });
  expect(next).toHaveBeenCalledTimes(1);
  expect(mediaSession.metadata).toMatchObject({ title: "One", artist: "Kinora" });
  expect(mediaSession.playbackState).toBe("none");
  handlers.get("play")?.({ action: "play" });
  await settle();
  expect(media.element.paused).toBe(false);
  expect(mediaSession.playbackState).toBe("playing");
  handlers.get("seekforward")?.({ action: "seekforward" });
  expect(media.element.currentTime).toBe(10);
  handlers.get("seekto")?.({ action: "seekto", seekTime: 300 });
  expect(media.element.currentTime).toBe(300);
  handlers.get("previoustrack")?.({ action: "previoustrack" });
  expect(media.element.currentTime).toBe(0);
  handlers.get("pause")?.({ action: "pause" });
  await settle();
  expect(mediaSession.playbackState).toBe("paused");
  expect(mediaSession.setPositionState).toHaveBeenCalledWith(
    expect.objectContaining({ duration: 600 }),
  );
  disconnect();
  expect(mediaSession.metadata).toBeNull();
  expect(handlers.get("play")).toBeNull();
  // The system must not show the position of a video that is gone.
  expect(mediaSession.setPositionState).toHaveBeenLastCalledWith();
  const back = vi.fn();
  connectMediaSession(player, videoSource, "Kinora", () => null, back);
  handlers.get("previoustrack")?.({ action: "previoustrack" });
  expect(back).toHaveBeenCalledTimes(1);
});

test("keeps the media keys of the next video when the previous player disconnects", () => {
  const { player } = startPlayer();
  const disconnect = connectMediaSession(player, videoSource, "Kinora", () => null);
  const next = vi.fn();
  connectMediaSession(player, otherSource, "Kinora", () => next);
  disconnect();
  expect(mediaSession.metadata).not.toBeNull();
  handlers.get("nexttrack")?.({ action: "nexttrack" });
  expect(next).toHaveBeenCalledTimes(1);
});

test("pauses and continues a video ad, and then the video", async () => {
  const ads = createTestAds();
  const { player, media } = startPlayer({ ads: ads.policy });
  player.load(videoSource);
  await media.becomePlayable(600);
  connectMediaSession(player, videoSource, "Kinora", () => null);
  const stage = document.body.appendChild(document.createElement("div"));
  stage.className = "player-break";
  const ad = createFakeMedia();
  stage.append(ad.element);
  await ad.becomePlayable(10);
  handlers.get("play")?.({ action: "play" });
  await settle();
  expect(ads.played).toEqual(["preroll"]);
  expect(ad.element.paused).toBe(true);
  handlers.get("play")?.({ action: "play" });
  await settle();
  expect(ad.element.paused).toBe(false);
  expect(mediaSession.playbackState).toBe("playing");
  handlers.get("pause")?.({ action: "pause" });
  await settle();
  expect(ad.element.paused).toBe(true);
  expect(mediaSession.playbackState).toBe("paused");
  stage.remove();
  ads.finish("completed");
  await settle();
  expect(media.element.paused).toBe(true);
  handlers.get("play")?.({ action: "play" });
  await settle();
  expect(media.element.paused).toBe(false);
});

test("moves on from an item without a player", () => {
  const moves: number[] = [];
  const disconnect = connectMoves((direction) => moves.push(direction));
  handlers.get("nexttrack")?.({ action: "nexttrack" });
  handlers.get("previoustrack")?.({ action: "previoustrack" });
  expect(moves).toEqual([1, -1]);
  disconnect();
  expect(handlers.get("nexttrack")).toBeNull();
});

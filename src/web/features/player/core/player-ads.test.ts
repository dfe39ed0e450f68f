// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { settle } from "./fake-media.fixture.ts";
import { createTestAds, otherSource, startPlayer, videoSource } from "./player.fixture.ts";
import { chooseOverlay } from "./player-state.ts";

test.each(["completed", "skipped", "failed"] as const)(
  "shows a pre-roll on the first play and starts the video after the ad %s",
  async (outcome) => {
    const ads = createTestAds();
    const { player, media } = startPlayer({ ads: ads.policy });
    player.load(videoSource);
    await media.becomePlayable();
    player.play();
    await settle();
    expect(ads.played).toEqual(["preroll"]);
    expect(media.element.paused).toBe(true);
    expect(chooseOverlay(player.store.get())).toBe("loading");
    ads.show();
    expect(chooseOverlay(player.store.get())).toBe("none");
    ads.finish(outcome);
    await settle();
    expect(media.element.paused).toBe(false);
    expect(player.store.get()).toMatchObject({ adSlot: null, hasStarted: true });
  },
);

test("shows no second pre-roll on a later play", async () => {
  const ads = createTestAds();
  const { player, media } = startPlayer({ ads: ads.policy });
  player.load(videoSource);
  await media.becomePlayable();
  player.play();
  await settle();
  ads.finish("completed");
  await settle();
  player.pause();
  await settle();
  player.play();
  await settle();
  expect(ads.played).toEqual(["preroll"]);
  expect(media.element.paused).toBe(false);
});

async function playPastPreroll(midrollTimes: number[]) {
  const ads = createTestAds(midrollTimes);
  const set = startPlayer({ ads: ads.policy });
  set.player.load(videoSource);
  await set.media.becomePlayable();
  set.player.play();
  await settle();
  ads.finish("completed");
  await settle();
  return { ...set, ads };
}

test("pauses for a mid-roll within 1 s of its time and continues after it", async () => {
  const { player, media, ads } = await playPastPreroll([300]);
  await media.playTo(298.9);
  expect(ads.played).toEqual(["preroll"]);
  await media.playTo(299.1);
  await settle();
  expect(ads.played).toEqual(["preroll", "midroll"]);
  expect(media.element.paused).toBe(true);
  expect(player.store.get().adSlot).toBe("midroll");
  ads.finish("skipped");
  await settle();
  expect(media.element.paused).toBe(false);
  await media.playTo(299.4);
  expect(ads.played).toEqual(["preroll", "midroll"]);
});

test("leaves picture-in-picture and an iPhone's full screen when an ad is visible", async () => {
  const { media, ads } = await playPastPreroll([300]);
  const webkitExitFullscreen = vi.fn();
  Object.assign(media.element, { webkitDisplayingFullscreen: true, webkitExitFullscreen });
  const exitPictureInPicture = vi.fn(() => Promise.resolve());
  Object.assign(document, { pictureInPictureElement: media.element, exitPictureInPicture });
  onTestFinished(() => {
    for (const name of ["pictureInPictureElement", "exitPictureInPicture"]) {
      Reflect.deleteProperty(document, name);
    }
  });
  await media.playTo(300);
  await settle();
  expect(ads.played).toEqual(["preroll", "midroll"]);
  expect([webkitExitFullscreen, exitPictureInPicture].map((spy) => spy.mock.calls)).toEqual([
    [],
    [],
  ]);
  ads.show();
  expect(webkitExitFullscreen).toHaveBeenCalledTimes(1);
  expect(exitPictureInPicture).toHaveBeenCalledTimes(1);
});

test("searches for the mid-roll a few seconds ahead", async () => {
  const { media, ads } = await playPastPreroll([300]);
  await media.playTo(293);
  expect(ads.asked).toEqual(["preroll", "midroll"]);
  expect(ads.played).toEqual(["preroll"]);
});

test("stays paused after a break during which the visitor paused", async () => {
  const { player, media, ads } = await playPastPreroll([300]);
  await media.playTo(300);
  await settle();
  player.pause();
  ads.finish("completed");
  await settle();
  expect(media.element.paused).toBe(true);
});

test("shows a post-roll before the end", async () => {
  const { player, media, ads } = await playPastPreroll([]);
  await media.playToEnd();
  await settle();
  expect(ads.played).toEqual(["preroll", "postroll"]);
  expect(player.store.get()).toMatchObject({ isEnded: false, adSlot: "postroll" });
  ads.finish("completed");
  await settle();
  expect(player.store.get()).toMatchObject({ isEnded: true, adSlot: null });
});

test("doesn't start the video below an ad when a media key is pressed", async () => {
  const { player, media, ads } = await playPastPreroll([300]);
  await media.playTo(300);
  await settle();
  void media.element.play();
  await settle();
  expect(media.element.paused).toBe(true);
  player.toggle();
  player.seekTo(10);
  expect(media.element.currentTime).toBe(300);
  ads.finish("completed");
  await settle();
  expect(media.element.paused).toBe(false);
});

test("ends the break when the source changes and plays the new source's pre-roll", async () => {
  const ads = createTestAds();
  const { player, media } = startPlayer({ ads: ads.policy });
  player.load(videoSource);
  await media.becomePlayable();
  player.play();
  await settle();
  const first = ads.stage();
  player.load(otherSource);
  await settle();
  expect(first?.signal.aborted).toBe(true);
  expect(player.store.get()).toMatchObject({ adSlot: null, hasStarted: false });
  expect(media.element.paused).toBe(true);
  player.play();
  await settle();
  expect(ads.played).toEqual(["preroll", "preroll"]);
});

test("preserves a volume change during the ad", async () => {
  const ads = createTestAds();
  const save = vi.fn();
  const settings = { initial: () => ({ volume: 1, isMuted: false, rate: 1 }), save };
  const { player, media } = startPlayer({ ads: ads.policy, settings });
  player.load(videoSource);
  player.play();
  await settle();
  ads.stage()?.onSoundChange({ isMuted: false, volume: 0.2 });
  await settle();
  expect(media.element.volume).toBe(0.2);
  expect(save).toHaveBeenCalledWith({ isMuted: false, volume: 0.2 });
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakeMedia, settle, stubMediaError, type FakeMedia } from "../fake-media.fixture.ts";
import { startPlayer, videoSource } from "../player.fixture.ts";

beforeEach(() => {
  sessionStorage.clear();
  stubMediaError();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval"] });
});
afterEach(() => void vi.useRealTimers());

const source = { ...videoSource, hlsUrl: "/media/master.m3u8" };
const fileUrl = source.progressiveUrl;

/** Returns an element of a browser that plays HLS by itself. */
function createHlsMedia(): FakeMedia {
  const media = createFakeMedia();
  Object.defineProperty(media.element, "canPlayType", { value: () => "maybe" });
  return media;
}

const urlOf = ({ element }: FakeMedia) => element.getAttribute("src");

/** Plays to a position where decoding fails, and waits for the next attempt. */
async function failAt(media: FakeMedia, positionS: number): Promise<void> {
  await media.becomePlayable();
  await media.playTo(positionS);
  await media.failToDecode();
  await settle();
  await vi.advanceTimersByTimeAsync(1000);
}

test("continues with the ladder where a file is damaged, and skips nothing", async () => {
  const { player, media } = startPlayer({}, createHlsMedia());
  player.load(source);
  player.play();
  await settle();
  await failAt(media, 40);
  expect(urlOf(media)).toBe(source.hlsUrl);
  expect(media.element).toMatchObject({ currentTime: 40, paused: false });
  await media.becomePlayable();
  expect(player.store.get().fault).toBeNull();
});

test("starts with the ladder for the rest of the visit, until the file is repaired", async () => {
  const first = startPlayer({}, createHlsMedia());
  first.player.load(source);
  await failAt(first.media, 40);
  const { player, media } = startPlayer({}, createHlsMedia());
  player.load(source);
  expect(urlOf(media)).toBe(source.hlsUrl);
  player.load({ ...source, progressiveUrl: "/media/repaired.mp4" });
  expect(urlOf(media)).toBe("/media/repaired.mp4");
});

test("skips ahead if file and ladder are damaged at the same place", async () => {
  const { player, media } = startPlayer({}, createHlsMedia());
  player.load(source);
  await failAt(media, 40);
  await failAt(media, 40);
  expect(urlOf(media)).toBe(source.hlsUrl);
  expect(media.element.currentTime).toBeGreaterThan(40);
});

test("retries the file if the browser can't play the ladder", async () => {
  const { player, media } = startPlayer();
  player.load(source);
  await failAt(media, 40);
  expect(urlOf(media)).toBe(fileUrl);
});

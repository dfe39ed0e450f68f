import { expect, test } from "vitest";
import {
  firstAdapter,
  ladderAdapter,
  wantsLadder,
  type BrowserAbilities,
} from "./choose-adapter.ts";

const chromium: BrowserAbilities = {
  hasMediaSource: true,
  playsHls: false,
  prefersNativeHls: false,
};
const safari: BrowserAbilities = { hasMediaSource: true, playsHls: true, prefersNativeHls: true };
const oldPhone: BrowserAbilities = {
  hasMediaSource: false,
  playsHls: true,
  prefersNativeHls: false,
};
const neither: BrowserAbilities = {
  hasMediaSource: false,
  playsHls: false,
  prefersNativeHls: false,
};
const hlsUrl = "/media/v/a/master.m3u8";
const progressiveUrl = "/media/v/a/play.mp4";

test("plays the ladder natively if that is the best or the only way", () => {
  expect(ladderAdapter({ hlsUrl }, chromium)).toBe("hls-js");
  expect(ladderAdapter({ hlsUrl }, safari)).toBe("native-hls");
  expect(ladderAdapter({ hlsUrl }, oldPhone)).toBe("native-hls");
  expect(ladderAdapter({ hlsUrl }, neither)).toBeNull();
  expect(ladderAdapter({ hlsUrl: null }, safari)).toBeNull();
});

test("starts with the file, or with the ladder if there is no file", () => {
  expect(firstAdapter({ hlsUrl, progressiveUrl }, safari)).toBe("progressive");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, safari)).toBe("native-hls");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, chromium)).toBe("hls-js");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, neither)).toBeNull();
});

test("switches only long videos to the ladder, unless the visitor saves data", () => {
  expect(wantsLadder({ hlsUrl, durationS: 61 }, chromium, false)).toBe(true);
  expect(wantsLadder({ hlsUrl, durationS: 60 }, chromium, false)).toBe(false);
  expect(wantsLadder({ hlsUrl, durationS: 600 }, chromium, true)).toBe(false);
  expect(wantsLadder({ hlsUrl, durationS: 600 }, safari, false)).toBe(false);
});

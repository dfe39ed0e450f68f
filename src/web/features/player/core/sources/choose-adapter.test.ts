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

test("the ladder plays natively where the browser does that best or knows nothing else", () => {
  expect(ladderAdapter({ hlsUrl }, chromium)).toBe("hls-js");
  expect(ladderAdapter({ hlsUrl }, safari)).toBe("native-hls");
  expect(ladderAdapter({ hlsUrl }, oldPhone)).toBe("native-hls");
  expect(ladderAdapter({ hlsUrl }, neither)).toBeNull();
  expect(ladderAdapter({ hlsUrl: null }, safari)).toBeNull();
});

test("the file starts wherever there is one, the ladder only without it", () => {
  expect(firstAdapter({ hlsUrl, progressiveUrl }, safari)).toBe("progressive");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, safari)).toBe("native-hls");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, chromium)).toBe("hls-js");
  expect(firstAdapter({ hlsUrl, progressiveUrl: null }, neither)).toBeNull();
});

test("only a long video switches to the ladder, and not while saving data", () => {
  expect(wantsLadder({ hlsUrl, durationS: 61 }, chromium, false)).toBe(true);
  expect(wantsLadder({ hlsUrl, durationS: 60 }, chromium, false)).toBe(false);
  expect(wantsLadder({ hlsUrl, durationS: 600 }, chromium, true)).toBe(false);
  expect(wantsLadder({ hlsUrl, durationS: 600 }, safari, false)).toBe(false);
});

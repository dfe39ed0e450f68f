// @vitest-environment happy-dom
import { expect, test } from "vitest";
import type { VideoSound } from "#contract/videos/videos.ts";
import {
  firstAdapter,
  ladderAdapter,
  wantsLadder,
  type BrowserAbilities,
  chooseSound,
  soundChoiceOf,
  markDamaged,
  withoutDamaged,
} from "./player-source.ts";
import { videoSource } from "../player.fixture.ts";

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

const sound = (language: string, kind: VideoSound["kind"] = "main", channels = 2): VideoSound => ({
  name: `${language} ${kind} ${channels}`,
  language,
  kind,
  channels,
});
const sounds = [
  ...[sound("en"), sound("de", "dub"), sound("pt-BR", "dub"), sound("en", "description")],
  ...[sound("en", "commentary"), sound("en", "main", 6)],
];

test.each([
  ["no choice", null, 0],
  ["a language", "de", 1],
  ["another form of a language", "pt-PT", 2],
  ["the description of the picture", "en description", 3],
  ["a description that this video has not in that language", "de description", 1],
  ["a language that this video does not have", "fr", 0],
  ["text that isn't a choice", " ", 0],
])("%s", (_, choice, index) => {
  expect(chooseSound(sounds, choice)).toBe(index);
});

test("finds a track of the same language and kind as the stored one", () => {
  expect(sounds.map((each) => chooseSound(sounds, soundChoiceOf(each)))).toEqual([
    ...[0, 1, 2, 3, 4, 0],
  ]);
});

test("leaves out a damaged file or ladder while the other one plays", () => {
  sessionStorage.clear();
  const source = { ...videoSource, progressiveUrl: "/one.mp4", hlsUrl: "/one.m3u8" };
  expect(withoutDamaged(source, true)).toBe(source);
  markDamaged("/one.m3u8");
  expect(withoutDamaged(source, true)).toEqual({ ...source, hlsUrl: null });
  expect(withoutDamaged({ ...source, progressiveUrl: null }, true)).toMatchObject({
    hlsUrl: "/one.m3u8",
  });
  markDamaged("/one.mp4");
  // Both are damaged, so the player skips what it can't play.
  expect(withoutDamaged(source, true)).toBe(source);
  const other = { ...source, hlsUrl: "/other.m3u8" };
  expect(withoutDamaged(other, true)).toEqual({ ...other, progressiveUrl: null });
  expect(withoutDamaged(other, false)).toBe(other);
});

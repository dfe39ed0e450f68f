import { expect, test } from "vitest";
import type { VideoSound } from "#contract/videos/videos.ts";
import { chooseSound, soundChoiceOf } from "./choose-sound.ts";

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

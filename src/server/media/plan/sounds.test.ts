import { expect, test } from "vitest";
import type { AudioFacts } from "../facts/media-facts.ts";
import { soundOptions } from "./encode-options.ts";
import { exampleFacts } from "../facts/example-facts.fixture.ts";
import { writeMasterPlaylist } from "./master-playlist.ts";
import { planSounds } from "./sounds.ts";

function tracks(...changes: Partial<AudioFacts>[]) {
  const { audio } = exampleFacts();
  if (audio === null) throw new Error("the example has sound");
  const [first = audio, ...otherAudio] = changes.map((change, at) => ({
    ...audio,
    index: at + 1,
    ...change,
  }));
  return exampleFacts({ audio: first, otherAudio });
}

test("plans a stereo rendition per track, and another one for tracks with more channels", () => {
  const planned = planSounds(
    tracks(
      { language: "eng", channels: 6 },
      { language: "deu", kind: "dub" },
      { language: "en", kind: "description" },
      { language: "ger", title: "Regie", kind: "commentary", channels: 8 },
    ),
  );
  expect(planned.map(({ file, channels, label }) => [file, channels, label.name])).toEqual([
    ["audio", 2, "English"],
    ["audio-2", 2, "Deutsch (dub)"],
    ["audio-3", 2, "English (audio description)"],
    ["audio-4", 2, "Regie"],
    ["audio-surround", 6, "English 5.1"],
    ["audio-4-surround", 6, "Regie 5.1"],
  ]);
  expect(planned.map(({ label }) => label.language)).toEqual(["en", "de", "en", "de", "en", "de"]);
});

test("plans no 5.1 for channels that can't be mixed", () => {
  const planned = planSounds(tracks({ channels: 10, isMixable: false }));
  expect(planned.map(({ channels }) => channels)).toEqual([2]);
});

test("gives unnamed tracks names and numbers equal names", () => {
  const names = (...changes: Partial<AudioFacts>[]) =>
    planSounds(tracks(...changes)).map(({ label }) => label.name);
  expect(names({}, { language: "und" })).toEqual(["Sound", "Sound 2"]);
  expect(names({ language: "en" }, { language: "en" })).toEqual(["English", "English 2"]);
  expect(planSounds(exampleFacts({ audio: null }))).toEqual([]);
});

test("lists one default and lets players choose only by language", () => {
  const planned = planSounds(
    tracks(
      { language: "en", channels: 6 },
      { language: "de" },
      { language: "en", kind: "description", title: 'A "quoted"\nname' },
    ),
  );
  const facts = { durationS: 4, peakBps: 1, averageBps: 1 };
  const text = writeMasterPlaylist(
    [],
    planned.map(({ file, label }) => ({ ...label, ...facts, uri: `${file}.m3u8` })),
  );
  expect(text.split("\n").filter((line) => line.includes("TYPE=AUDIO"))).toEqual([
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",LANGUAGE="en",DEFAULT=YES,' +
      'AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,' +
      'AUTOSELECT=YES,CHANNELS="2",URI="audio-2.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="A  quoted  name",LANGUAGE="en",DEFAULT=NO,' +
      'AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video",CHANNELS="2",' +
      'URI="audio-3.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English 5.1",LANGUAGE="en",DEFAULT=NO,' +
      'AUTOSELECT=NO,CHANNELS="6",URI="audio-surround.m3u8"',
  ]);
});

test("lets decoders mix the 5.1 of stereo tracks, unless ffmpeg can't", () => {
  const facts = tracks(
    { codec: "ac3" },
    { codec: "eac3" },
    { codec: "ac3", channels: 6 },
    { codec: "aac" },
  );
  const options = ["-downmix:1", "stereo", "-downmix:2", "stereo"];
  expect(soundOptions(facts, { hasDownmix: true })).toEqual(options);
  expect(soundOptions(facts, { hasDownmix: false })).toEqual([]);
  expect(soundOptions(exampleFacts({ audio: null }), { hasDownmix: true })).toEqual([]);
});

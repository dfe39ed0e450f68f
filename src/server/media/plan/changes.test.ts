import { expect, test } from "vitest";
import { compareTracks, listDamage, listEncodingChanges } from "./changes.ts";
import { exampleFacts } from "../facts/example-facts.fixture.ts";

const facts = exampleFacts();

test("reports nothing missing for an output with complete tracks", () => {
  expect(compareTracks(facts, { videoEndS: 59.5, audioEndS: 60.1 })).toEqual([]);
  expect(compareTracks(exampleFacts({ audio: null }), { videoEndS: 60, audioEndS: null })).toEqual(
    [],
  );
});

test("reports a track that is missing or ends early", () => {
  expect(compareTracks(facts, { videoEndS: 60, audioEndS: null })).toEqual([
    "The audio of the source is missing.",
  ]);
  expect(compareTracks(facts, { videoEndS: 30, audioEndS: 12.34 })).toEqual([
    "The picture ends at 30 s of 60 s.",
    "The audio ends at 12.3 s of 60 s.",
  ]);
});

test("reports a smaller picture and a lower frame rate but not the rounding of an odd size", () => {
  const large = exampleFacts({ video: { width: 7680, height: 4320, fps: { num: 120, den: 1 } } });
  expect(listEncodingChanges(large, { num: 60, den: 1 })).toEqual([
    "The picture is reduced from 7680 x 4320 to 3840 x 2160.",
    "The frame rate is reduced from 120 to 60.",
  ]);
  const strip = exampleFacts({ video: { width: 7, height: 480 } });
  expect(listEncodingChanges(strip, { num: 25, den: 1 })).toEqual([
    "The picture is reduced from 7 x 480 to 16 x 22.",
  ]);
  const odd = exampleFacts({ video: { width: 161, height: 121 } });
  expect(listEncodingChanges(odd, { num: 25, den: 1 })).toEqual([]);
});

test("reports decoder errors by track", () => {
  const whole = { isPictureDamaged: false, isSoundDamaged: false };
  expect(listDamage(facts, [])).toEqual({ ...whole, notices: [] });
  expect(listDamage(facts, ["[aac @ 0x5] Number of bands exceeds limit"])).toEqual({
    ...{ ...whole, isSoundDamaged: true },
    notices: ["Parts of the audio are damaged in the source and are silent."],
  });
  expect(listDamage(facts, ["[h264 @ 0x5] error while decoding MB 1 2"])).toEqual({
    ...{ ...whole, isPictureDamaged: true },
    notices: ["Parts of the picture are damaged in the source."],
  });
});

test.each([
  ["av1", "libdav1d"],
  ["av1", "libaom-av1"],
  ["msmpeg4v3", "msmpeg4"],
])("reports damaged pictures of %s that %s decodes", (codec, decoder) => {
  const errors = [`[${decoder} @ 0x5] Error parsing OBU data`];
  const damage = listDamage(exampleFacts({ video: { codec } }), errors);
  expect(damage).toMatchObject({ isPictureDamaged: true, isSoundDamaged: false });
});

test.each([
  ["amr_nb", "amrnb"],
  ["amr_wb", "amrwb"],
  ["gsm", "libgsm"],
  ["gsm_ms", "libgsm_ms"],
])("reports damaged sound of %s that %s decodes", (codec, decoder) => {
  const errors = [`[${decoder} @ 0x5] Corrupt bitstream`];
  const audio = facts.audio === null ? null : { ...facts.audio, codec };
  const damage = listDamage(exampleFacts({ audio }), errors);
  expect(damage).toMatchObject({ isPictureDamaged: false, isSoundDamaged: true });
});

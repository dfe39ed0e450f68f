import { expect, test } from "vitest";
import { findCaptionSuffix, readCaptionSuffix } from "./track-names.ts";

const plain = { kind: null, isForced: false, isDefault: false };

test.each([
  ["", { ...plain, language: "" }],
  ["en", { ...plain, language: "en" }],
  ["hi", { ...plain, language: "hi" }],
  ["pt_BR", { ...plain, language: "pt_BR" }],
  ["en.sdh", { ...plain, language: "en", kind: "SDH" }],
  ["EN.HI", { ...plain, language: "EN", kind: "SDH" }],
  ["hi.hi", { ...plain, language: "hi", kind: "SDH" }],
  ["de.cc.default", { ...plain, language: "de", kind: "CC", isDefault: true }],
  ["zh-Hant.forced", { ...plain, language: "zh-Hant", isForced: true }],
  ["forced", { ...plain, language: "", isForced: true }],
  ["sdh", { ...plain, language: "", kind: "SDH" }],
  ["CC.default", { ...plain, language: "", kind: "CC", isDefault: true }],
  ["en.other", null],
  ["b.en", null],
])("reads %j between a video's name and an extension", (text, expected) => {
  expect(readCaptionSuffix(text)).toEqual(expected);
});

test.each([
  ["film.en.hi.srt", { ...plain, language: "en", kind: "SDH" }],
  ["my.film.pt-BR.forced.ass", { ...plain, language: "pt-BR", isForced: true }],
  ["film.hi.srt", { ...plain, language: "hi" }],
  ["my.film.sdh.srt", { ...plain, language: "", kind: "SDH" }],
  ["film.DE.sdh.srt", { ...plain, language: "DE", kind: "SDH" }],
  ["The.Cat.SDH.srt", { ...plain, language: "", kind: "SDH" }],
  ["The.Cat.srt", null],
  ["film.DE.srt", null],
  ["film..srt", null],
  ["film.srt", null],
  ["en.srt", null],
])("finds the language and flags in %s", (name, expected) => {
  expect(findCaptionSuffix(name)).toEqual(expected);
});

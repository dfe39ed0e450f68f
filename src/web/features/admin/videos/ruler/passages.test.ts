import { expect, it } from "vitest";
import { gapsBetween, nextPlayed, withoutPassage, withPassage } from "./passages.ts";

const span = (startS: number, endS: number) => ({ startS, endS });

it("removes stretches and drops remains that are too short", () => {
  const whole = [span(0, 10)];
  expect(withoutPassage(whole, span(2, 4), 0.1)).toEqual([span(0, 2), span(4, 10)]);
  expect(withoutPassage(whole, span(0, 4), 0.1)).toEqual([span(4, 10)]);
  expect(withoutPassage(whole, span(0.05, 10), 0.1)).toEqual([]);
  expect(withoutPassage([span(0, 2), span(4, 6)], span(1, 5), 0.1)).toEqual([
    span(0, 1),
    span(5, 6),
  ]);
});

it("adds stretches and joins those that touch", () => {
  expect(withPassage([span(0, 2), span(4, 6)], span(2, 4))).toEqual([span(0, 6)]);
  expect(withPassage([span(4, 6)], span(1, 2))).toEqual([span(1, 2), span(4, 6)]);
});

it("lists what is between passages", () => {
  expect(gapsBetween([span(1, 2), span(4, 6)], 8)).toEqual([span(0, 1), span(2, 4), span(6, 8)]);
  expect(gapsBetween([span(0, 8)], 8)).toEqual([]);
});

it("finds where playing continues", () => {
  const kept = [span(1, 2), span(4, 6)];
  expect([0, 1.5, 2, 5, 6].map((timeS) => nextPlayed(kept, timeS))).toEqual([1, 1.5, 4, 5, null]);
});

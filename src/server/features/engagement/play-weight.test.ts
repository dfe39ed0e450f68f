import { expect, test } from "vitest";
import { addressWeight, isRankedInGroup, playRules, visitorWeight } from "./play-weight.ts";

const place = { inGroup: 1, hourWeight: 0, siteViewsPerHour: 0, isNewVideo: true };

test("gives a visitor more weight with each of three engaged videos", () => {
  expect([0, 1, 2, 3, 9].map(visitorWeight)).toEqual([0.1, 0.1, 0.5, 1, 1]);
});

test("counts five plays of an address group in full and further plays by their logarithm", () => {
  const siteViewsPerHour = 1e6;
  const sum = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      addressWeight({ ...place, inGroup: at + 1, siteViewsPerHour }),
    ).reduce((a, b) => a + b, 0);
  expect(sum(5)).toBe(5);
  expect(sum(300)).toBeLessThan(5 + Math.log(300 / 5));
});

test("counts at most 2.5 plays per hour for an older video, even on a large site under attack", () => {
  const hour = (isNewVideo: boolean) => {
    let hourWeight = 0;
    for (let group = 0; group < 1000; group += 1) {
      hourWeight += addressWeight({ ...place, hourWeight, siteViewsPerHour: 1000, isNewVideo });
    }
    return hourWeight;
  };
  expect(hour(false)).toBeCloseTo(playRules.perHour + 1000 * playRules.minShare, 2);
  expect(hour(true)).toBeCloseTo(playRules.perHour + 30 + 1000 * playRules.minShare, 1);
});

test("counts nine of 500 views or likes of one address group", () => {
  const ranked = Array.from({ length: 500 }, (_, at) => isRankedInGroup(at + 1));
  expect(ranked.slice(0, 5)).toEqual([true, true, true, true, true]);
  expect(ranked.filter(Boolean)).toHaveLength(9);
});

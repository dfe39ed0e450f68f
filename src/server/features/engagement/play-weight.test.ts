import { expect, test } from "vitest";
import { newId } from "#server/lib/ids.ts";
import { addressWeight, isLikeRanked, playRules, playWeight } from "./play-weight.ts";

const nowMs = Date.now();
const place = { inGroup: 1, hourWeight: 0, siteViewsPerHour: 0, isNewVideo: true };
const known = newId(nowMs - playRules.newVisitorMs);
const fresh = newId(nowMs - playRules.newVisitorMs + 1);

test("weighs a visitor more with each of three engaged videos, and less on the first day", () => {
  const weights = (visitorId: string) =>
    [0, 1, 2, 3, 9].map((engagedVideos) => playWeight({ visitorId, engagedVideos }, place, nowMs));
  expect(weights(known)).toEqual([0.1, 0.1, 0.5, 1, 1]);
  expect(weights(fresh)).toEqual([0.015, 0.015, 0.075, 0.15, 0.15]);
});

test("weighs five plays of an address group in full, and further ones by their logarithm", () => {
  const siteViewsPerHour = 1e6;
  const sum = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      addressWeight({ ...place, inGroup: at + 1, siteViewsPerHour }),
    ).reduce((a, b) => a + b, 0);
  expect(sum(5)).toBe(5);
  expect(sum(300)).toBeLessThan(5 + Math.log(300 / 5));
});

test("weighs an hour at most at twice its full plays, however many address groups take part", () => {
  const hour = (siteViewsPerHour: number) => {
    let hourWeight = 0;
    for (let group = 0; group < 5000; group += 1) {
      hourWeight += addressWeight({ ...place, hourWeight, siteViewsPerHour });
    }
    return hourWeight;
  };
  expect(hour(0)).toBeLessThan(2 * playRules.fullPerHour);
  expect(hour(1000)).toBeLessThan(2 * (playRules.fullPerHour + 30));
  expect(hour(1000)).toBeGreaterThan(playRules.fullPerHour + 30);
});

test("counts nine of 500 likes of one address group", () => {
  const ranked = Array.from({ length: 500 }, (_, at) => isLikeRanked(at + 1));
  expect(ranked.slice(0, 5)).toEqual([true, true, true, true, true]);
  expect(ranked.filter(Boolean)).toHaveLength(9);
});

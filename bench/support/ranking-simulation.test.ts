import { expect, test } from "vitest";
import { createBaselines, productPolicy } from "./feed-policies.ts";
import {
  floods,
  learn,
  learnOnNewSite,
  manyBots,
  plantBest,
  shareOfNew,
  shareOfPushed,
} from "./feed-scenarios.ts";
import { lovedShare } from "./small-taste.ts";

/** A tenth of the simulation of `npm run bench -- ranking`. */
const small = { videos: 80, impressions: 4000, newDays: 1 };

test("learns faster than every other policy", () => {
  const day = { ...small, perDay: small.impressions };
  const { regret } = learn(productPolicy(), 1, day);
  for (const other of createBaselines()) {
    expect([other.name, learn(other, 1, day).regret > regret]).toEqual([other.name, true]);
  }
});

test("promotes the best video soon after publication and gives nearly all new videos enough plays", () => {
  expect(plantBest(productPolicy(), 1, small)).toBeLessThanOrEqual(2000);
  expect(shareOfNew(productPolicy(), 1, small)).toBeGreaterThan(0.95);
});

test("doesn't promote the worst video through bots or through 110 new cookies at once", () => {
  const scale = { ...small, videos: 200, impressions: 8000 };
  const most = manyBots.filter(({ share, videosEach }) => share === 0.02 && videosEach === 10);
  expect(shareOfPushed(productPolicy(), 1, scale, most)).toBeLessThan(0.005);
  expect(shareOfPushed(productPolicy(), 1, scale, floods)).toBeLessThan(0.005);
});

test("promotes the best video within 1,100 impressions on a new site with 50 visitors a day", () => {
  expect(learnOnNewSite(productPolicy(), 1)).toBeLessThanOrEqual(1100);
});

test("finds what a visitor to a small catalogue loves and keeps two of ten places outside their taste", () => {
  // 0.125 by chance. Of 27 unseen videos, perfect taste reaches 0.34.
  expect(lovedShare(47, 5, 1)).toBeGreaterThan(0.29);
  expect(lovedShare(47, 20, 1)).toBeGreaterThan(0.3);
  expect(lovedShare(1000, 40, 1)).toBeLessThanOrEqual(0.8);
});

import { expect, it } from "vitest";
import type { ListedVideo } from "#contract/videos/videos.ts";
import { toCardVideo } from "./card-video.ts";

const video = {
  slug: "one",
  title: "One",
  thumbnail: null,
  previewUrl: null,
  duration: 60,
  views: 28_301,
  likes: 3,
  isPremium: false,
  createdAt: "2026-03-04T00:00:00.000Z",
  categories: [],
  why: "28,301 views in 7 days",
} as unknown as ListedVideo;

it.each([
  ["viewsAll", 28_301, null],
  ["viewsWeek", 28_301, null],
  ["viewsWeek", 28_340, null],
  ["viewsWeek", 1200, video.why],
  ["pointsWeek", 28_301, video.why],
])("shows the reason %s with %d only if it differs from the views", (kind, count, why) => {
  const reason = { kind, count } as unknown as ListedVideo["reason"];
  expect(toCardVideo({ ...video, reason }).why).toBe(why);
});

import { expect, test } from "vitest";
import type { PublicAd } from "#ads/contract/ads.ts";
import { feedAd, feedVideos } from "./feed-items.fixture.ts";
import {
  emptyTimeline,
  endOf,
  entryAt,
  extendTimeline,
  dropBefore,
  isUsedUp,
  noAds,
  numberOf,
  patchVideo,
  prependEntries,
  type Timeline,
} from "./timeline.ts";

const rotation = (...ads: PublicAd[]) => ({ ads, serve: "s1" });
const names = (timeline: Timeline) =>
  timeline.entries.map((entry) => (entry.kind === "ad" ? entry.ad.id : entry.video.id)).join(" ");

test("every third video is followed by an ad, in rotation", () => {
  const timeline = extendTimeline(
    emptyTimeline,
    feedVideos(..."abcdefghi"),
    rotation(feedAd("X"), feedAd("Y")),
    0,
  );
  expect(names(timeline)).toBe("a b c X d e f Y g h i X");
});

test("a rotation is used up once each of its ads has had its place", () => {
  const two = rotation(feedAd("X"), feedAd("Y"));
  const timeline = extendTimeline(emptyTimeline, feedVideos(..."abcdef"), two, 0);
  expect([3, 6, 7].map((place) => isUsedUp(two, timeline, place))).toEqual([false, false, true]);
  expect(isUsedUp({ ...two, serve: "s2" }, timeline, 7)).toBe(false);
  expect(isUsedUp(noAds, timeline, 7)).toBe(false);
});

test("pages that arrive one by one keep the rhythm of the ads", () => {
  let timeline = emptyTimeline;
  for (const id of "abcdefg") {
    timeline = extendTimeline(
      timeline,
      feedVideos(id),
      rotation(feedAd("X"), feedAd("Y")),
      endOf(timeline),
    );
  }
  expect(names(timeline)).toBe("a b c X d e f Y g");
});

test("ads that load later change only what has not been on the screen", () => {
  const before = extendTimeline(emptyTimeline, feedVideos(..."abcdefg"), noAds, 0);
  expect(names(before)).toBe("a b c d e f g");
  expect(names(extendTimeline(before, [], rotation(feedAd("X")), 2))).toBe("a b c X d e f X g");
  const late = extendTimeline(before, [], rotation(feedAd("X")), 5);
  expect(names(late)).toBe("a b c d e X f g");
  for (let place = 0; place < 5; place += 1) {
    expect(entryAt(late, place)?.key).toBe(entryAt(before, place)?.key);
  }
});

test("without ads there are only videos", () => {
  expect(names(extendTimeline(emptyTimeline, feedVideos(..."abcd"), noAds, 0))).toBe("a b c d");
});

test("earlier videos get places below zero, and the others keep theirs", () => {
  const now = extendTimeline(emptyTimeline, feedVideos("d", "e"), noAds, 0);
  const earlier = extendTimeline(emptyTimeline, feedVideos("a", "b", "c"), noAds, 0).entries;
  const both = prependEntries(now, earlier);
  expect(names(both)).toBe("a b c d e");
  expect(both.firstPlace).toBe(-3);
  expect(entryAt(both, 0)).toBe(entryAt(now, 0));
  expect(entryAt(both, -4)).toBeNull();
  expect(numberOf(both, 0)).toBe(4);
});

test("entries far behind are dropped, and the others keep their places", () => {
  const timeline = extendTimeline(emptyTimeline, feedVideos(..."abcdefghij"), noAds, 0);
  const rest = dropBefore(timeline, 8, 3);
  expect(names(rest)).toBe("f g h i j");
  expect(entryAt(rest, 8)).toBe(entryAt(timeline, 8));
  expect(dropBefore(rest, 8, 3)).toBe(rest);
  expect(numberOf(rest, 8)).toBe(9);
});

test("a like changes every entry of the video", () => {
  const timeline = extendTimeline(emptyTimeline, feedVideos("a", "b", "a"), noAds, 0);
  const liked = patchVideo(timeline, "a", { likes: 7, isLiked: true });
  expect(liked.entries.map((entry) => entry.kind === "video" && entry.video.likes)).toEqual([
    7, 0, 7,
  ]);
});

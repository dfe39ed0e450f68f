import { expect, test } from "vitest";
import type { PublicAd } from "../../../../contract/ads.ts";
import type { FeedVideo } from "../../../../contract/feed.ts";
import {
  emptyTimeline,
  endOf,
  entryAt,
  extendTimeline,
  forgetBefore,
  numberOf,
  patchVideo,
  prependEntries,
  type Timeline,
} from "./timeline.ts";

function video(id: string): FeedVideo {
  return {
    id,
    slug: id,
    title: id,
    description: null,
    thumbnail: null,
    thumbnailUrl: null,
    posterUrl: null,
    videoUrl: null,
    smallVideoUrl: null,
    hlsUrl: null,
    previewUrl: null,
    storyboardUrl: null,
    fileFormat: "mp4",
    duration: 10,
    width: null,
    height: null,
    views: 0,
    likes: 0,
    isLiked: false,
    isFavorite: false,
    isPublished: true,
    isPremium: false,
    status: "ready",
    createdAt: "2026-01-01T00:00:00.000Z",
    publishedAt: null,
    categories: [],
    tags: [],
    actors: [],
  };
}

function ad(id: string): PublicAd {
  return {
    id,
    title: id,
    description: null,
    content: null,
    type: "banner",
    placement: "feed",
    imageUrl: null,
    linkUrl: null,
    vastTagUrl: null,
    trust: "isolated",
    widthPx: null,
    heightPx: null,
    weight: 1,
  };
}

const videos = (...ids: string[]) => ids.map(video);
const names = (timeline: Timeline) =>
  timeline.entries.map((entry) => (entry.kind === "ad" ? entry.ad.id : entry.video.id)).join(" ");

test("every third video is followed by an ad, in rotation", () => {
  const timeline = extendTimeline(emptyTimeline, videos(..."abcdefghi"), [ad("X"), ad("Y")], 0);
  expect(names(timeline)).toBe("a b c X d e f Y g h i X");
});

test("pages that come one by one do not disturb the count", () => {
  let timeline = emptyTimeline;
  for (const id of "abcdefg") {
    timeline = extendTimeline(timeline, videos(id), [ad("X"), ad("Y")], endOf(timeline));
  }
  expect(names(timeline)).toBe("a b c X d e f Y g");
});

test("ads that come late change only what nobody has seen", () => {
  const before = extendTimeline(emptyTimeline, videos(..."abcdefg"), [], 0);
  expect(names(before)).toBe("a b c d e f g");
  expect(names(extendTimeline(before, [], [ad("X")], 2))).toBe("a b c X d e f X g");
  const late = extendTimeline(before, [], [ad("X")], 5);
  expect(names(late)).toBe("a b c d e X f g");
  for (let place = 0; place < 5; place += 1) {
    expect(entryAt(late, place)?.key).toBe(entryAt(before, place)?.key);
  }
});

test("without ads there are only videos", () => {
  expect(names(extendTimeline(emptyTimeline, videos(..."abcd"), [], 0))).toBe("a b c d");
});

test("earlier ones stand at places below zero and move nothing", () => {
  const now = extendTimeline(emptyTimeline, videos("d", "e"), [], 0);
  const earlier = extendTimeline(emptyTimeline, videos("a", "b", "c"), [], 0).entries;
  const both = prependEntries(now, earlier);
  expect(names(both)).toBe("a b c d e");
  expect(both.firstPlace).toBe(-3);
  expect(entryAt(both, 0)).toBe(entryAt(now, 0));
  expect(entryAt(both, -4)).toBeNull();
  expect(numberOf(both, 0)).toBe(4);
});

test("what lies far behind is forgotten, places stay", () => {
  const timeline = extendTimeline(emptyTimeline, videos(..."abcdefghij"), [], 0);
  const rest = forgetBefore(timeline, 8, 3);
  expect(names(rest)).toBe("f g h i j");
  expect(entryAt(rest, 8)).toBe(entryAt(timeline, 8));
  expect(forgetBefore(rest, 8, 3)).toBe(rest);
  expect(numberOf(rest, 8)).toBe(9);
});

test("a like is seen wherever the video stands", () => {
  const timeline = extendTimeline(emptyTimeline, videos("a", "b", "a"), [], 0);
  const liked = patchVideo(timeline, "a", { likes: 7, isLiked: true });
  expect(liked.entries.map((entry) => entry.kind === "video" && entry.video.likes)).toEqual([
    7, 0, 7,
  ]);
});

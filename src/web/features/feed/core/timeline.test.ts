import { expect, test } from "vitest";
import { feedAd, feedVideos } from "./feed-items.fixture.ts";
import {
  appendVideos,
  dropBefore,
  emptyTimeline,
  entryAt,
  insertAd,
  nextAdPlace,
  numberOf,
  patchVideo,
  prependVideos,
  removeAds,
  type Timeline,
} from "./timeline.ts";

const videosOf = (ids: string) => appendVideos(emptyTimeline, feedVideos(...ids));
const names = (timeline: Timeline) =>
  timeline.entries.map((entry) => (entry.kind === "ad" ? entry.ad.id : entry.video.id)).join(" ");

test("puts an ad after every third video, but never replaces the item on screen", () => {
  const timeline = videosOf("abcdefgh");
  expect([0, 1, 2, 5].map((place) => nextAdPlace(timeline, place))).toEqual([3, 3, 3, 6]);
  const shown = { ...timeline, adEnd: 4 };
  expect([4, 5, 6].map((place) => nextAdPlace(shown, place))).toEqual([7, 7, 7]);
  const withAd = insertAd(timeline, 3, { ad: feedAd("X"), serve: "s" });
  expect(names(withAd)).toBe("a b c X d e f g h");
  expect(new Set(withAd.entries.map(({ key }) => key)).size).toBe(9);
});

test("doesn't move the item on screen when an ad behind it is removed", () => {
  const timeline = {
    ...insertAd(videosOf("abcdef"), 3, { ad: feedAd("X"), serve: "s" }),
    adEnd: 4,
  };
  const rest = removeAds(timeline, 5, () => true);
  expect(names(rest)).toBe("a b c d e f");
  expect(entryAt(rest, 5)).toBe(entryAt(timeline, 5));
  expect(entryAt(rest, 3)).toBe(entryAt(timeline, 2));
  expect(rest.adEnd).toBe(4);
});

test("replaces a removed ad on screen with the next item", () => {
  const timeline = {
    ...insertAd(videosOf("abcdef"), 3, { ad: feedAd("X"), serve: "s" }),
    adEnd: 4,
  };
  const rest = removeAds(timeline, 3, () => true);
  expect(entryAt(rest, 3)).toMatchObject({ video: { id: "d" } });
  expect(rest.adEnd).toBe(3);
});

test("puts earlier videos at places below zero without moving other items", () => {
  const now = videosOf("de");
  const both = prependVideos(now, feedVideos(..."abc"));
  expect(names(both)).toBe("a b c d e");
  expect(both.firstPlace).toBe(-3);
  expect(entryAt(both, 0)).toBe(entryAt(now, 0));
  expect(entryAt(both, -4)).toBeNull();
  expect(numberOf(both, 0)).toBe(4);
});

test("drops entries far behind and preserves the places of the others", () => {
  const timeline = videosOf("abcdefghij");
  const rest = dropBefore(timeline, 8, 3);
  expect(names(rest)).toBe("f g h i j");
  expect(entryAt(rest, 8)).toBe(entryAt(timeline, 8));
  expect(dropBefore(rest, 8, 3)).toBe(rest);
  expect(numberOf(rest, 8)).toBe(9);
});

test("changes every entry of a liked video", () => {
  const timeline = videosOf("aba");
  const liked = patchVideo(timeline, "a", { likes: 7, isLiked: true });
  expect(liked.entries.map((entry) => entry.kind === "video" && entry.video.likes)).toEqual([
    7, 0, 7,
  ]);
});

import { expect, it } from "vitest";
import { newId } from "#server/lib/ids.ts";
import { storedBytes, storedVideo, type StoredVideo } from "./shown-video.ts";
import { createVideoStore } from "./video-store.ts";

function makeStored(slug: string): StoredVideo {
  const video = {
    id: newId(),
    slug,
    title: slug,
    description: null,
    thumbnail: null,
    thumbnailUrl: null,
    videoUrl: null,
    posterUrl: null,
    smallVideoUrl: null,
    hlsUrl: null,
    previewUrl: null,
    storyboardUrl: null,
    fileFormat: "mp4",
    duration: 1,
    width: 1,
    height: 1,
    views: 0,
    likes: 0,
    isLiked: false,
    isPublished: true,
    isPremium: false,
    status: "ready" as const,
    createdAt: "2026-01-01T00:00:00.000Z",
    publishedAt: "2026-01-01T00:00:00.000Z",
    categories: [],
    tags: [],
    actors: [],
  };
  return storedVideo(video, { durationS: 1, midrollTimes: null, stamp: 1 });
}

it("finds by id and slug what was put", () => {
  const store = createVideoStore(1e6);
  const video = makeStored("a");
  store.put(video, store.epoch());
  expect(store.find(video.id)).toBe(video);
  expect(store.findId("a")).toBe(video.id);
});

it("never holds more than its bytes, and keeps what is used", () => {
  const used = makeStored("used");
  const store = createVideoStore(storedBytes(used) * 4);
  store.put(used, store.epoch());
  for (let n = 10; n < 60; n += 1) {
    store.find(used.id);
    store.put(makeStored(`v-${n}`), store.epoch());
    expect(store.size.bytes).toBeLessThanOrEqual(storedBytes(used) * 4);
  }
  expect(store.size.videos).toBe(4);
  expect(store.findId("used")).toBe(used.id);
  expect(store.findId("v-10")).toBeUndefined();
});

it("refuses what was read before an invalidation", () => {
  const store = createVideoStore(1e6);
  const a = makeStored("a");
  const epoch = store.epoch();
  store.invalidate();
  store.put(a, epoch);
  expect(store.find(a.id)).toBeUndefined();
});

it("drops everything when it is invalidated", () => {
  const store = createVideoStore(1e6);
  const a = makeStored("a");
  store.put(a, store.epoch());
  store.invalidate();
  expect(store.find(a.id)).toBeUndefined();
  expect(store.findId("a")).toBeUndefined();
  expect(store.size).toEqual({ videos: 0, bytes: 0 });
});

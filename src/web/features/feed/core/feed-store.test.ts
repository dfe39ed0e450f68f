// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { FeedList } from "#contract/lists/feed.ts";
import { feedAd, feedVideo, feedVideos } from "./feed-items.fixture.ts";
import {
  createFeedStore,
  type FeedHead,
  type FeedSnapshot,
  type FeedSources,
} from "./feed-store.ts";
import { takeTurn } from "./feed-ads.ts";
import { entryAt, type FeedEntry } from "./timeline.ts";

type Page = Partial<FeedList>;

/** Starts a feed whose server returns these pages in order and repeats the last one. */
function startStore(head: Partial<FeedHead> | FeedSnapshot, pages: (Page | Error)[] = [{}]) {
  const requests: Parameters<FeedSources["fetchFeed"]>[0][] = [];
  const ads = { list: feedAds(), error: null as Error | null, requests: 0, delayMs: 0 };
  const feed = createFeedStore(
    "timeline" in head ? head : { videos: [], nextCursor: null, hasFailed: false, ...head },
    {
      async fetchFeed(from) {
        requests.push(from);
        const page = pages[Math.min(requests.length, pages.length) - 1] ?? {};
        if (page instanceof Error) throw page;
        return { videos: [], nextCursor: null, shown: [], ...page };
      },
      async fetchAds() {
        if (ads.error !== null) throw ads.error;
        ads.requests += 1;
        const list = { ads: ads.list, serve: `s${ads.requests}` };
        if (ads.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, ads.delayMs));
        return list;
      },
    },
  );
  onTestFinished(() => feed.dispose());
  const names = () => feed.store.get().timeline.entries.map(nameOf).join(" ");
  return { feed, requests, names, ads };
}

const feedAds = () => ["X", "Y"].map(feedAd);
const nameOf = (entry: FeedEntry) => (entry.kind === "ad" ? entry.ad.id : entry.video.id);
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("puts the page's videos first and sends them when it fetches more", async () => {
  const { feed, requests, names } = startStore({ videos: feedVideos("a", "b") }, [
    { videos: feedVideos("c", "d"), nextCursor: "k1" },
    { videos: [] },
  ]);
  expect(names()).toBe("a b");
  feed.start({ hasAds: false });
  feed.start({ hasAds: false });
  await settle();
  expect(names()).toBe("a b c d");
  expect(requests).toEqual([{ shownSlugs: ["a", "b"] }, { cursor: "k1" }]);
});

/** Moves to a place item by item, like a visitor, and returns the ads shown. */
async function swipe(feed: ReturnType<typeof createFeedStore>, to: number, waitMs = 0) {
  const shown: string[] = [];
  for (let place = feed.store.get().place + 1; place <= to; place += 1) {
    feed.goTo(place);
    feed.tidy();
    await vi.advanceTimersByTimeAsync(waitMs);
    const entry = entryAt(feed.store.get().timeline, place);
    if (entry?.kind === "ad") shown.push(entry.ad.id);
  }
  return shown;
}
const manyVideos = { videos: feedVideos(..."abcdefghijklmnopqrstuvwxyz"), nextCursor: "k" };

test("requests an ad one item ahead and shows it after every third video", async () => {
  const { feed, names, ads } = startStore(manyVideos);
  feed.start({ hasAds: true });
  await settle();
  expect(ads.requests).toBe(0);
  await swipe(feed, 1);
  expect(ads.requests).toBe(1);
  expect(names()).toMatch(/^a b c X d e f g/);
  expect(await swipe(feed, 20)).toEqual(["X", "Y", "X", "Y", "X"]);
  // One request per shown ad, and one for the next.
  expect(ads.requests).toBe(5);
  // Swiping back doesn't bring back removed clips.
  expect(names()).not.toMatch(/X.*d/);
});

test("drops an ad that the server no longer returns", async () => {
  const { feed, ads } = startStore(manyVideos);
  feed.start({ hasAds: true });
  expect(await swipe(feed, 7)).toEqual(["X", "Y"]);
  ads.list = ["Y"].map(feedAd);
  // The next ad was already requested.
  expect(await swipe(feed, 19)).toEqual(["Y", "Y", "Y"]);
});

test("requests again 30 s after an empty list, then 60 s after the next one", async () => {
  const { feed, ads } = startStore(manyVideos);
  ads.list = [];
  feed.start({ hasAds: true });
  expect(await swipe(feed, 8, 100)).toEqual([]);
  expect(ads.requests).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  await swipe(feed, 12, 100);
  expect(ads.requests).toBe(2);
  await vi.advanceTimersByTimeAsync(30_000);
  await swipe(feed, 14, 100);
  expect(ads.requests).toBe(2);
  await vi.advanceTimersByTimeAsync(30_000);
  ads.list = feedAds();
  expect(await swipe(feed, 18, 100)).toEqual(["X"]);
});

test("drops an ad whose reservation has expired", async () => {
  const { feed, ads, names } = startStore(manyVideos);
  feed.start({ hasAds: true });
  await swipe(feed, 2);
  expect(names()).toContain("X");
  await vi.advanceTimersByTimeAsync(50_000);
  expect(names()).not.toContain("X");
  ads.list = ["Y"].map(feedAd);
  expect(await swipe(feed, 6)).toEqual(["Y"]);
  // A visible ad stays.
  const { feed: other, names: otherNames } = startStore(manyVideos);
  other.start({ hasAds: true });
  await swipe(other, 3);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(otherNames()).toContain("X");
});

test("leaves the item on screen in place when a list arrives late", async () => {
  const { feed, ads } = startStore(manyVideos);
  ads.delayMs = 1000;
  feed.start({ hasAds: true });
  await swipe(feed, 3, 100);
  const onScreen = entryAt(feed.store.get().timeline, 3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(entryAt(feed.store.get().timeline, 3)).toBe(onScreen);
  expect(entryAt(feed.store.get().timeline, 4)).toMatchObject({ kind: "ad", serve: "s1" });
});

test("replaces an ad that the visitor hides with the next video", async () => {
  const { feed, names, ads } = startStore(manyVideos);
  feed.start({ hasAds: true });
  await swipe(feed, 3);
  ads.list = ["Y"].map(feedAd);
  feed.dropAd("X");
  expect(names()).toMatch(/^a b c d e f/);
  expect(feed.store.get().place).toBe(3);
  expect(await swipe(feed, 7)).toEqual(["Y"]);
});

test("rotates at most five ads", () => {
  const six = [..."UVWXYZ"].map(feedAd);
  let rotation: readonly string[] = [];
  const shown = Array.from({ length: 30 }, (_, turn) => {
    // Lists of five of the six, in changing order.
    const list = [...six.slice(turn % 6), ...six.slice(0, turn % 6)].slice(0, 5);
    const next = takeTurn(rotation, list);
    rotation = next?.rotation ?? [];
    return next?.ad.id;
  });
  expect(new Set(shown).size).toBe(5);
  expect(takeTurn(["U", "V"], ["V", "W"].map(feedAd))).toMatchObject({
    ad: { id: "W" },
    rotation: ["V", "W"],
  });
  expect(takeTurn(["U"], [])).toBeNull();
});

test("requests no ads if the site has none for the feed", async () => {
  const { feed, names } = startStore({ videos: feedVideos(..."abcdefghi") });
  feed.start({ hasAds: false });
  await settle();
  expect(names()).toBe("a b c d e f g h i");
});

test("shows only videos after a failed ad request", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { feed, names, ads } = startStore({ videos: feedVideos(..."abcdefghi") });
  ads.error = new Error("blocked");
  feed.start({ hasAds: true });
  await swipe(feed, 2);
  expect(names()).toBe("a b c d e f g h i");
  expect(warn).toHaveBeenCalled();
  expect(feed.store.get().loading).toBe("idle");
});

test("fetches the next page before the last video is reached", async () => {
  const { feed, requests, names } = startStore(
    { videos: feedVideos(..."abcdefghij"), nextCursor: "k1" },
    [{ videos: feedVideos(..."klmnopqrst"), nextCursor: "k2" }],
  );
  feed.start({ hasAds: false });
  await settle();
  expect(requests).toEqual([]);
  for (let place = 1; place <= 3; place += 1) feed.goTo(place);
  expect(requests).toEqual([]);
  feed.goTo(4);
  await settle();
  expect(requests).toEqual([{ cursor: "k1" }]);
  expect(names()).toBe("a b c d e f g h i j k l m n o p q r s t");
});

test("starts a new session at the end without showing a video twice in a row", async () => {
  const { feed, requests, names } = startStore({ videos: feedVideos("a"), nextCursor: "k1" }, [
    { videos: feedVideos("b", "c"), nextCursor: null },
    { videos: feedVideos("c", "a", "b"), nextCursor: null },
    { videos: [] },
  ]);
  feed.start({ hasAds: false });
  await settle();
  expect(requests.slice(0, 2)).toEqual([{ cursor: "k1" }, { shownSlugs: [] }]);
  expect(names()).toBe("a b c a b");
});

test("shows a failure, retries later and hides it on success", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { feed, requests, names } = startStore({ videos: feedVideos("a"), nextCursor: "k" }, [
    new Error("503"),
    new Error("503"),
    { videos: feedVideos(..."bcdefghi"), nextCursor: "k2" },
  ]);
  feed.start({ hasAds: false });
  await settle();
  expect(feed.store.get().loading).toBe("failed");
  expect(names()).toBe("a");
  await vi.advanceTimersByTimeAsync(5000);
  expect(requests).toHaveLength(2);
  feed.retry();
  expect(feed.store.get().loading).toBe("busy");
  await settle();
  expect(feed.store.get().loading).toBe("idle");
  expect(names()).toBe("a b c d e f g h i");
});

test("retries after a failure once the browser is online", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { feed, requests } = startStore({ videos: feedVideos("a") }, [new Error("offline"), {}]);
  feed.start({ hasAds: false });
  await settle();
  window.dispatchEvent(new Event("online"));
  await settle();
  expect(requests).toHaveLength(2);
});

test("reports failed pages and empty sites", async () => {
  expect(startStore({ hasFailed: true }).feed.store.get()).toMatchObject({
    loading: "failed",
    isEmpty: false,
  });
  const empty = startStore({});
  expect(empty.feed.store.get()).toMatchObject({ loading: "idle", isEmpty: true });
  empty.feed.start({ hasAds: false });
  await settle();
  expect(empty.feed.store.get().isEmpty).toBe(true);
});

test("sets the place and the direction on a move and never leaves the feed", () => {
  const { feed } = startStore({ videos: feedVideos(..."abc") });
  feed.goTo(2);
  expect(feed.store.get()).toMatchObject({ place: 2, direction: 1 });
  feed.goTo(1);
  expect(feed.store.get()).toMatchObject({ place: 1, direction: -1 });
  feed.goTo(7);
  feed.goTo(-1);
  expect(feed.store.get().place).toBe(1);
});

test("drops entries more than 50 places behind", () => {
  const ids = Array.from({ length: 80 }, (_, index) => `v${index}`);
  const { feed } = startStore({ videos: feedVideos(...ids) });
  feed.goTo(70);
  expect(feed.store.get().timeline.firstPlace).toBe(0);
  feed.tidy();
  const { timeline } = feed.store.get();
  expect(timeline.firstPlace).toBe(20);
  expect(entryAt(timeline, 70)).toMatchObject({ video: { id: "v70" } });
});

test("fills in this visitor's likes and saves with the first page", async () => {
  const { feed } = startStore({ videos: feedVideos("a", "b") }, [
    { shown: [{ id: "a", isLiked: true, isFavorite: true }] },
  ]);
  feed.start({ hasAds: false });
  await settle();
  expect(entryAt(feed.store.get().timeline, 0)).toMatchObject({
    video: { isLiked: true, isFavorite: true },
  });
});

test("changes a liked video everywhere", () => {
  const { feed } = startStore({ videos: feedVideos("a", "b", "a") });
  feed.patch("a", { isLiked: true, likes: 3 });
  const { entries } = feed.store.get().timeline;
  expect(entries.map((entry) => entry.kind === "video" && entry.video.likes)).toEqual([3, 0, 3]);
});

test("restores the place, videos and session from a snapshot and requests ads again", async () => {
  const first = startStore({ videos: feedVideos(..."abcdefghijkl"), nextCursor: "k1" });
  first.feed.start({ hasAds: true });
  await swipe(first.feed, 3);
  const { timeline, place } = first.feed.snapshot();
  expect(entryAt(timeline, place)).toMatchObject({ video: { id: "d" } });
  await swipe(first.feed, 4);
  const second = startStore(first.feed.snapshot(), [{ videos: feedVideos("z"), nextCursor: "k3" }]);
  expect(second.feed.store.get()).toMatchObject({ place: 4 });
  expect(second.names()).toBe("a b c d e f g h i j k l");
  second.ads.list = ["Z"].map(feedAd);
  second.feed.start({ hasAds: true });
  expect(await swipe(second.feed, 10)).toEqual(["Z"]);
  expect(second.requests[0]).toEqual({ cursor: "k1" });
});

test("restores the clip between its neighbors after a reload", async () => {
  const { feed, names, requests } = startStore({ videos: feedVideos("c", "x"), nextCursor: null }, [
    { videos: feedVideos(..."fghijk"), nextCursor: "k2" },
  ]);
  feed.restore({
    clip: feedVideo("c", { isLiked: true }),
    before: feedVideos("a", "b"),
    after: feedVideos("d", "e"),
    cursor: "k1",
  });
  expect(names()).toBe("a b c d e");
  expect(feed.store.get().timeline.firstPlace).toBe(-2);
  expect(entryAt(feed.store.get().timeline, 0)).toMatchObject({
    video: { id: "c", isLiked: true },
  });
  feed.start({ hasAds: false });
  await settle();
  expect(requests[0]).toEqual({ cursor: "k1" });
});

test("drops the following items and starts a new session when preferences change", async () => {
  const { feed, requests, names } = startStore({ videos: feedVideos("a", "b") }, [
    { videos: feedVideos("c", "d"), nextCursor: "k1" },
    { videos: feedVideos("x", "y"), nextCursor: "k2" },
    { videos: [] },
  ]);
  feed.start({ hasAds: false });
  // The first response, with the old order, hasn't arrived yet.
  const refreshed = feed.refresh();
  await settle();
  expect(await refreshed).toBe(true);
  expect(names()).toBe("a x y");
  expect(requests.slice(0, 2)).toEqual([{ shownSlugs: ["a", "b"] }, { shownSlugs: ["a"] }]);
});

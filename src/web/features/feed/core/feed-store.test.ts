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
import { entryAt, type FeedEntry } from "./timeline.ts";

type Page = Partial<FeedList>;

/** A feed whose server has these pages, one after another; the last one is repeated. */
function startStore(head: Partial<FeedHead> | FeedSnapshot, pages: (Page | Error)[] = [{}]) {
  const requests: Parameters<FeedSources["fetchFeed"]>[0][] = [];
  const ads = { list: feedAds(), error: null as Error | null, requests: 0 };
  const feed = createFeedStore(
    "entries" in head ? head : { videos: [], nextCursor: null, hasFailed: false, ...head },
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
        return { ads: ads.list, serve: `s${ads.requests}` };
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

test("the videos of the page stand first, and more is fetched with what is shown", async () => {
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

test("every third video is followed by an ad, also where ads load after the videos", async () => {
  const { feed, names } = startStore({ videos: feedVideos(..."abcdefghi"), nextCursor: "k" });
  expect(names()).toBe("a b c d e f g h i");
  feed.start({ hasAds: true });
  await settle();
  expect(names()).toBe("a b c X d e f Y g h i X");
  const [first] = feed.store.get().timeline.entries.filter(({ kind }) => kind === "ad");
  expect(first).toMatchObject({ serve: "s1" });
});

test("when every ad had its place, new ones are requested, since a serve counts each ad once", async () => {
  const { feed, names, ads } = startStore({ videos: feedVideos(..."abcdefghi"), nextCursor: "k" });
  feed.start({ hasAds: true });
  await settle();
  feed.goTo(3);
  await settle();
  expect(ads.requests).toBe(1);
  ads.list = ["Z"].map(feedAd);
  feed.goTo(7);
  await settle();
  expect(ads.requests).toBe(2);
  expect(names()).toBe("a b c X d e f Y g h i Z");
  const serves = feed.store
    .get()
    .timeline.entries.flatMap((entry) => (entry.kind === "ad" ? [entry.serve] : []));
  expect(serves).toEqual(["s1", "s1", "s2"]);
});

test("a site without ads for the feed does not ask for any", async () => {
  const { feed, names } = startStore({ videos: feedVideos(..."abcdefghi") });
  feed.start({ hasAds: false });
  await settle();
  expect(names()).toBe("a b c d e f g h i");
});

test("a failed request for ads leaves a feed of videos", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { feed, names, ads } = startStore({ videos: feedVideos(..."abcdefghi") });
  ads.error = new Error("blocked");
  feed.start({ hasAds: true });
  await settle();
  expect(names()).toBe("a b c d e f g h i");
  expect(warn).toHaveBeenCalled();
  expect(feed.store.get().loading).toBe("idle");
});

test("the next page is fetched before the last video is reached", async () => {
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

test("the end of one session is followed by a new one, without the same video twice in a row", async () => {
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

test("a failure is shown, tried again after a while, and gone once it works", async () => {
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

test("after a failure the feed loads as soon as the browser is online", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { feed, requests } = startStore({ videos: feedVideos("a") }, [new Error("offline"), {}]);
  feed.start({ hasAds: false });
  await settle();
  window.dispatchEvent(new Event("online"));
  await settle();
  expect(requests).toHaveLength(2);
});

test("a page whose server failed says so, and an empty site is empty", async () => {
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

test("moving sets place and direction, and never leaves the feed", () => {
  const { feed } = startStore({ videos: feedVideos(..."abc") });
  feed.goTo(2);
  expect(feed.store.get()).toMatchObject({ place: 2, direction: 1 });
  feed.goTo(1);
  expect(feed.store.get()).toMatchObject({ place: 1, direction: -1 });
  feed.goTo(7);
  feed.goTo(-1);
  expect(feed.store.get().place).toBe(1);
});

test("entries more than 50 places behind are dropped", () => {
  const ids = Array.from({ length: 80 }, (_, index) => `v${index}`);
  const { feed } = startStore({ videos: feedVideos(...ids) });
  feed.goTo(70);
  const { timeline } = feed.store.get();
  expect(timeline.firstPlace).toBe(20);
  expect(entryAt(timeline, 70)).toMatchObject({ video: { id: "v70" } });
});

test("what this visitor liked and saved is filled in with the first page", async () => {
  const { feed } = startStore({ videos: feedVideos("a", "b") }, [
    { shown: [{ id: "a", isLiked: true, isFavorite: true }] },
  ]);
  feed.start({ hasAds: false });
  await settle();
  expect(entryAt(feed.store.get().timeline, 0)).toMatchObject({
    video: { isLiked: true, isFavorite: true },
  });
});

test("a like changes the video wherever it stands", () => {
  const { feed } = startStore({ videos: feedVideos("a", "b", "a") });
  feed.patch("a", { isLiked: true, likes: 3 });
  const { entries } = feed.store.get().timeline;
  expect(entries.map((entry) => entry.kind === "video" && entry.video.likes)).toEqual([3, 0, 3]);
});

test("a snapshot brings back place, entries, ads and session", async () => {
  const first = startStore({ videos: feedVideos(..."abcdefghijkl"), nextCursor: "k1" });
  first.feed.start({ hasAds: true });
  await settle();
  first.feed.goTo(4);
  const second = startStore(first.feed.snapshot(), [{ videos: feedVideos("z"), nextCursor: "k3" }]);
  expect(second.feed.store.get()).toMatchObject({ place: 4 });
  expect(second.names()).toBe(first.names());
  second.feed.start({ hasAds: true });
  expect(second.ads.requests).toBe(0);
  for (let place = 5; place <= 12; place += 1) second.feed.goTo(place);
  await settle();
  expect(second.requests[0]).toEqual({ cursor: "k1" });
});

test("a reload finds the clip between its neighbors", async () => {
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

test("another wish drops what follows and begins a new session, whatever is under way", async () => {
  const { feed, requests, names } = startStore({ videos: feedVideos("a", "b") }, [
    { videos: feedVideos("c", "d"), nextCursor: "k1" },
    { videos: feedVideos("x", "y"), nextCursor: "k2" },
    { videos: [] },
  ]);
  feed.start({ hasAds: false });
  // The first response is still on its way, and belongs to the order before.
  const refreshed = feed.refresh();
  await settle();
  expect(await refreshed).toBe(true);
  expect(names()).toBe("a x y");
  expect(requests.slice(0, 2)).toEqual([{ shownSlugs: ["a", "b"] }, { shownSlugs: ["a"] }]);
});

// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { outOfTime } from "../../player/core/ads/out-of-time.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { noteBreak } from "../core/last-break.ts";
import { publicAd } from "../core/public-ad.fixture.ts";
import { resolveTag } from "./browser-vast.ts";
import { findCreative, prepareAdBreak } from "./prepare-ad-break.ts";

vi.mock("../api/fetch-ads.ts", () => ({ fetchAds: vi.fn() }));
vi.mock("../api/report-ad-event.ts", () => ({ reportAdEvent: vi.fn() }));
vi.mock("./browser-vast.ts", async (original) => ({
  ...(await original<object>()),
  resolveTag: vi.fn(),
}));

const signal = new AbortController().signal;
const context = {
  videoId: "v",
  slug: "v",
  durationS: 60,
  positionS: 0,
  startsInS: 5,
  categories: ["news"],
  tags: ["local"],
  signal,
};

const reports = () =>
  vi.mocked(reportAdEvent).mock.calls.map(([shown, event, cause]) => [shown?.adId, event, cause]);

beforeEach(() => {
  vi.mocked(fetchAds).mockReset();
  vi.mocked(reportAdEvent).mockReset();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.mocked(resolveTag).mockResolvedValue({
    choice: { plays: [], failed: [] },
    result: {
      ads: [],
      rootErrorUrls: [],
      documentFailure: { code: 900, reason: "gone", cause: "unreachable" },
    },
  });
});

test.each([
  ["a direct link", { vastTagUrl: "https://a.test/x.mp4?y", linkUrl: "https://b" }, "video"],
  ["a link with an image", { linkUrl: "https://b", imageUrl: "/i.png", content: "<p>" }, "card"],
  ["HTML with a link", { linkUrl: "https://b", content: "<p>" }, "html"],
  ["texts with a link", { linkUrl: "https://b" }, "card"],
  ["HTML", { content: "<p>" }, "html"],
  ["texts only", {}, "card"],
])("%s is shown as %s", async (_name, values, kind) => {
  const impression = { adId: "ad", serve: "s", placement: "preroll" } as const;
  expect((await findCreative(publicAd(values), impression, { signal, maxAds: 1 }))?.kind).toBe(
    kind,
  );
});

test("three video ads of the placement are requested; none means no ad break", async () => {
  vi.mocked(fetchAds).mockResolvedValue({ ads: [], serve: "s" });
  expect(await prepareAdBreak("midroll", context)).toBeNull();
  expect(fetchAds).toHaveBeenCalledWith(
    expect.objectContaining({
      placement: "midroll",
      types: ["video"],
      limit: 3,
      categories: ["news"],
      tags: ["local"],
    }),
  );
});

test("the site is told how long the video is, and how long ago the last ad break will be", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.mocked(fetchAds).mockResolvedValue({ ads: [], serve: "s" });
  const asked = async () => {
    await prepareAdBreak("midroll", context);
    return vi.mocked(fetchAds).mock.lastCall?.[0];
  };
  expect(await asked()).toMatchObject({ durationS: 60, sinceBreakS: null });
  noteBreak();
  vi.advanceTimersByTime(170_000);
  expect(await asked()).toMatchObject({ sinceBreakS: 175 });
  // A clock that was set back.
  vi.setSystemTime(0);
  expect(await asked()).toMatchObject({ sinceBreakS: null });
  vi.useRealTimers();
  localStorage.clear();
});

test("an ad whose tag has nothing to play reports an error, and the next one is shown", async () => {
  const ads = [
    publicAd({ id: "broken", vastTagUrl: "https://a.test/tag", weight: 1 }),
    publicAd({ id: "second", weight: 0 }),
  ];
  vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
  expect(await prepareAdBreak("preroll", context)).not.toBeNull();
  expect(reports()).toEqual([["broken", "error", "unreachable"]]);
});

test("a tag that is slow leaves the other ads their part of the time", async () => {
  vi.useFakeTimers();
  const ads = [
    publicAd({ id: "slow", vastTagUrl: "https://a.test/tag", weight: 1 }),
    publicAd({ id: "second", weight: 0 }),
  ];
  vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
  const { result } = await resolveTag(publicAd({}), "", { signal, maxAds: 1 });
  vi.mocked(resolveTag).mockImplementation(
    (_ad, _url, search) =>
      new Promise((resolve) => {
        const end = () => resolve({ result, choice: { plays: [], failed: [] } });
        search.signal.addEventListener("abort", end);
      }),
  );
  let found: unknown;
  void prepareAdBreak("preroll", { ...context, startsInS: 0 }).then((made) => (found = made));
  await vi.advanceTimersByTimeAsync(1400);
  expect([found, reports()]).toEqual([undefined, []]);
  await vi.advanceTimersByTimeAsync(200);
  expect(found).toMatchObject({ play: expect.any(Function) });
  expect(reports()).toEqual([["slow", "error", "timeout"]]);
  vi.useRealTimers();
});

test("when the content goes on without the ad, its error is due; not when the visitor leaves", async () => {
  const failed = {
    ...({ outcome: "error", id: null, sequence: null, wrapperCount: 1, code: 301 } as const),
    ...({ reason: "late", cause: "timeout", fallbackOnNoAd: null, isWrapper: true } as const),
    errorUrls: ["http://e/[ERRORCODE]"],
  };
  const sent: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    sent.push(url);
    return Promise.resolve(new Response());
  });
  const ads = [publicAd({ id: "slow", vastTagUrl: "https://a.test/tag" })];
  vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
  for (const reason of [new Error("left"), outOfTime()]) {
    expect(reports()).toEqual([]);
    const ending = new AbortController();
    vi.mocked(resolveTag).mockImplementation(() => {
      ending.abort(reason);
      const result = { ads: [failed], rootErrorUrls: [], documentFailure: null };
      return Promise.resolve({ choice: { plays: [], failed: [failed] }, result });
    });
    expect(await prepareAdBreak("preroll", { ...context, signal: ending.signal })).toBeNull();
  }
  expect(reports()).toEqual([["slow", "error", "timeout"]]);
  expect(sent).toEqual(["http://e/301"]);
  vi.unstubAllGlobals();
});

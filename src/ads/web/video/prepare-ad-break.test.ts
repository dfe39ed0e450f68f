// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type BreakPlan, outOfTime } from "#web/features/player/core/ads/ad-provider.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { noteBreak } from "../core/last-break.ts";
import { publicAd } from "../core/public-ad.fixture.ts";
import type * as browserVast from "./browser-vast.ts";
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
  onPlan: vi.fn<(plan: BreakPlan) => void>(),
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
])("shows %s as %s", async (_name, values, kind) => {
  const impression = { adId: "ad", serve: "s", placement: "preroll" } as const;
  expect((await findCreative(publicAd(values), impression, { signal, maxAds: 1 }))?.kind).toBe(
    kind,
  );
});

test("requests three video ads for the placement, and has no break if there are none", async () => {
  vi.mocked(fetchAds).mockResolvedValue({ ads: [], serve: "s" });
  expect(await prepareAdBreak("midroll", context)).toBeNull();
  expect(fetchAds).toHaveBeenCalledWith(
    expect.objectContaining({
      placement: "midroll",
      limit: 3,
      categories: ["news"],
      tags: ["local"],
    }),
  );
});

test("sends the video's duration and the time since the last ad break", async () => {
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
  // The clock was set back.
  vi.setSystemTime(0);
  expect(await asked()).toMatchObject({ sinceBreakS: null });
  vi.useRealTimers();
  localStorage.clear();
});

test("reports an error for an ad whose tag has nothing to play, then shows the next ad", async () => {
  const ads = [
    publicAd({ id: "broken", vastTagUrl: "https://a.test/tag" }),
    publicAd({ id: "second" }),
  ];
  vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
  expect(await prepareAdBreak("preroll", context)).not.toBeNull();
  expect(reports()).toEqual([["broken", "error", "unreachable"]]);
});

const vast = (id: string) =>
  `<VAST version="4.0"><Ad id="${id}"><InLine><AdTitle>t</AdTitle><Creatives><Creative><Linear>
    <Duration>00:00:05</Duration><MediaFiles><MediaFile type="video/mp4">http://m/${id}.mp4</MediaFile></MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad></VAST>`;

test("finds the document that the server fetched for a tag whose URL isn't normalised", async () => {
  const vastTagUrl = "https://A.test?z=it's {x}";
  const { resolveTag: resolve } = await vi.importActual<typeof browserVast>("./browser-vast.ts");
  vi.mocked(resolveTag).mockImplementation(resolve);
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("maybe");
  const document = {
    url: vastTagUrl,
    redirects: 0,
    text: vast("a"),
    problem: null,
    status: 200,
  };
  vi.stubGlobal("fetch", (url: string) =>
    url.startsWith("/api/")
      ? Promise.resolve(Response.json({ documents: [document] }))
      : Promise.reject(new TypeError("blocked")),
  );
  const impression = { adId: "ad", serve: "s", placement: "preroll" } as const;
  const creative = await findCreative(publicAd({ vastTagUrl }), impression, {
    signal,
    maxAds: 1,
  });
  expect(creative?.kind).toBe("video");
});

describe("a tag that responds with VMAP", () => {
  const sent: string[] = [];
  const adBreak = (timeOffset: string, source: string) =>
    `<vmap:AdBreak timeOffset="${timeOffset}"><vmap:AdSource>${source}</vmap:AdSource><vmap:TrackingEvents>
      <vmap:Tracking event="error">http://e.test/${timeOffset}/[ERROR_CODE]</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>`;
  const inline = (id: string) => `<vmap:VASTAdData>${vast(id)}</vmap:VASTAdData>`;
  const tag = (path: string) => `<vmap:AdTagURI>http://a.test/${path}</vmap:AdTagURI>`;

  async function prepare(breaks: string[], documents: Record<string, string> = {}) {
    const { resolveTag: resolve } = await vi.importActual<typeof browserVast>("./browser-vast.ts");
    vi.mocked(resolveTag).mockImplementation(resolve);
    vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("maybe");
    sent.length = 0;
    vi.stubGlobal("fetch", (url: string) => {
      sent.push(url);
      const vmap = `<vmap:VMAP xmlns:vmap="http://v">${breaks.join("")}</vmap:VMAP>`;
      const text = url === "https://a.test/vmap" ? vmap : documents[url];
      return Promise.resolve(
        new Response(text ?? null, { status: text === undefined ? 404 : 200 }),
      );
    });
    const ads = [publicAd({ id: "vmap", vastTagUrl: "https://a.test/vmap" })];
    vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s", podMaxS: 30 });
    const plans: BreakPlan[] = [];
    const made = await prepareAdBreak("preroll", {
      ...context,
      durationS: 200,
      onPlan: (plan) => plans.push(plan),
    });
    return { made, plan: plans[0] };
  }

  test("returns the breaks of the video and requests the tag again for each break", async () => {
    const { made, plan } = await prepare([
      adBreak("start", inline("one")),
      adBreak("50%", tag("middle")),
      adBreak("end", inline("last")),
    ]);
    expect(made).not.toBeNull();
    expect([plan?.midrollTimes(200), plan?.hasPostroll(200)]).toEqual([[100], true]);
    expect(sent).toEqual(["https://a.test/vmap"]);
    vi.mocked(fetchAds).mockResolvedValue({ ads: [], serve: "s" });
    const midroll = { ...context, durationS: 200, positionS: 100 };
    expect(await plan?.prepare("midroll", midroll)).toBeNull();
    expect(fetchAds).toHaveBeenLastCalledWith(
      expect.objectContaining({ only: "vmap", placement: "header", limit: 1 }),
    );
    expect(sent).toHaveLength(1);
  });

  test("shows no pre-roll and reports no error if there is no break at the start", async () => {
    const { made, plan } = await prepare([adBreak("00:01:00", tag("late"))]);
    expect([made, plan?.midrollTimes(200), reports()]).toEqual([null, [60], []]);
  });

  test("uses the site's breaks if none can be shown", async () => {
    const { made, plan } = await prepare([adBreak("#1", tag("never"))]);
    expect([made, plan, reports()]).toEqual([null, undefined, [["vmap", "error", "empty"]]]);
    expect(sent.at(-1)).toBe("http://e.test/#1/1000");
  });

  test("reports breaks that it can't show and tags without a document", async () => {
    const { made } = await prepare([
      adBreak("start", tag("gone")),
      adBreak("#1", tag("never")),
      adBreak("end", "<vmap:CustomAdData/>"),
    ]);
    expect(made).toBeNull();
    expect(sent.filter((url) => url.startsWith("http://e.test"))).toEqual([
      "http://e.test/#1/1000",
      "http://e.test/end/1005",
      "http://e.test/start/1008",
    ]);
    expect(reports()).toEqual([["vmap", "error", "unreachable"]]);
  });
});

test("leaves time for other ads if a tag is slow", async () => {
  vi.useFakeTimers();
  const ads = [
    publicAd({ id: "slow", vastTagUrl: "https://a.test/tag" }),
    publicAd({ id: "second" }),
  ];
  vi.mocked(fetchAds).mockResolvedValue({ ads, serve: "s" });
  const { result } = await resolveTag(publicAd({}), { url: "" }, { signal, maxAds: 1 });
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

test("reports an error when the content continues without the ad, but not when the visitor leaves", async () => {
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

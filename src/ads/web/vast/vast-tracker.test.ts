import { expect, test } from "vitest";
import { expandMacros, timecode } from "../../contract/vast-macros.ts";
import { isDirectFile, mediaType, orderMediaFiles } from "./media-choice.ts";
import { parseOffset, type PlayableAd } from "./vast-ad.ts";
import { createVastTracker } from "./vast-tracker.ts";

const fixed = { random: () => 0.00000123, date: () => new Date("2026-05-04T03:02:01.000Z") };

function createPlayable(values: Partial<PlayableAd> = {}): PlayableAd {
  return {
    outcome: "play",
    id: "a",
    title: null,
    sequence: null,
    wrapperCount: 1,
    durationS: 20,
    skip: null,
    mediaFiles: [],
    impressions: ["http://i/1", "http://i/2"],
    tracking: new Map(
      [
        "creativeView",
        "start",
        "firstQuartile",
        "midpoint",
        "thirdQuartile",
        "complete",
        "skip",
      ].map((name) => [name, [`http://t/${name}`]]),
    ),
    notVerified: [],
    progress: [
      { offset: { kind: "seconds", s: 3 }, url: "http://p/3s" },
      { offset: { kind: "percent", percent: 60 }, url: "http://p/60" },
      { offset: { kind: "seconds", s: 90 }, url: "http://p/never" },
    ],
    clickThrough: "http://c/through?at=[ADPLAYHEAD]",
    clickTracking: ["http://c/track"],
    customClicks: [],
    viewable: ["http://v/yes"],
    notViewable: ["http://v/no"],
    icons: [],
    companions: [],
    errorUrls: ["http://e/[ERRORCODE]"],
    ...values,
  };
}

function track(values: Partial<PlayableAd> = {}) {
  const sent: string[] = [];
  const tracker = createVastTracker(createPlayable(values), {
    send: (url) => sent.push(url),
    ...fixed,
  });
  return { sent, tracker };
}

test("tells vendors of verification scripts once why their script wasn't run", () => {
  const notVerified = ["http://v/?reason=[REASON]", "http://w/"];
  const { sent, tracker } = track({ notVerified, tracking: new Map(), impressions: [] });
  tracker.impression();
  tracker.impression();
  expect(sent).toEqual(["http://v/?reason=2", "http://w/"]);
});

test("reports every event of a complete playback once and in order", () => {
  const { sent, tracker } = track();
  tracker.impression();
  tracker.impression();
  for (const s of [0, 0.2, 3, 3.1, 5, 5.2, 10, 12, 14.9, 15, 15.1]) tracker.progress(s, 20);
  tracker.complete();
  tracker.complete();
  expect(sent).toEqual([
    "http://i/1",
    "http://i/2",
    "http://t/creativeView",
    "http://t/start",
    "http://p/3s",
    "http://t/firstQuartile",
    "http://t/midpoint",
    "http://p/60",
    "http://t/thirdQuartile",
    "http://t/complete",
  ]);
});

test("reaches every quartile in order despite sparse time updates", () => {
  const { sent, tracker } = track({ progress: [] });
  tracker.progress(0.1, 20);
  tracker.complete();
  expect(sent).toEqual(
    ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map((n) => `http://t/${n}`),
  );
});

test("reports neither complete nor skip for an ad that is cut off, and no complete for a skipped ad", () => {
  const cut = track();
  cut.tracker.progress(14, 60);
  expect(cut.sent).not.toContain("http://t/complete");
  expect(cut.sent).not.toContain("http://t/skip");

  const skipped = track();
  skipped.tracker.progress(6, 20);
  skipped.tracker.skip();
  skipped.tracker.complete();
  skipped.tracker.progress(19, 20);
  expect(skipped.sent.filter((url) => /complete|skip|third/.test(url))).toEqual(["http://t/skip"]);
});

test("prefers the measured duration to a declared one, including zero", () => {
  const { sent, tracker } = track({ durationS: 0 });
  tracker.progress(4, 40);
  expect(sent).not.toContain("http://t/firstQuartile");
  tracker.progress(10, 40);
  expect(sent).toContain("http://t/firstQuartile");
});

test("reports no events beyond the end of a file that is shorter than declared", () => {
  const progress = [4, 8].map((s) => ({
    offset: { kind: "seconds", s } as const,
    url: `http://p/${s}s`,
  }));
  const { sent, tracker } = track({ durationS: 10, progress });
  tracker.progress(5.9, 6);
  tracker.complete();
  expect(sent).toContain("http://p/4s");
  expect(sent).not.toContain("http://p/8s");
  expect(sent.at(-1)).toBe("http://t/complete");
});

test("reports an error code to all levels and nothing afterwards", () => {
  const { sent, tracker } = track();
  tracker.error(405);
  tracker.error(400);
  tracker.progress(10, 20);
  expect(sent).toEqual(["http://e/405"]);
});

test("reports sound, pause and full screen only when they change", () => {
  const names = ["mute", "unmute", "pause", "resume", "fullscreen", "exitFullscreen"];
  const { sent, tracker } = track({ tracking: new Map(names.map((name) => [name, [name]])) });
  tracker.setMuted(true);
  tracker.setMuted(true);
  tracker.setPaused(false);
  expect(sent).toEqual([]);
  tracker.setMuted(false);
  tracker.setPaused(true);
  tracker.setPaused(false);
  tracker.setFullscreen(true);
  tracker.setFullscreen(false);
  expect(sent).toEqual(["unmute", "pause", "resume", "fullscreen", "exitFullscreen"]);
});

test("reports either viewable or not viewable", () => {
  const { sent, tracker } = track();
  tracker.viewable(true);
  tracker.viewable(false);
  expect(sent).toEqual(["http://v/yes"]);
});

test("expands VAST macros, replaces unknown ones with -1 and preserves other brackets", () => {
  const pageUrl = "http://a/b?c=d&e";
  const values = { errorCode: 7, adPlayheadS: 61.5, assetUrl: pageUrl, pageUrl };
  const expand = (template: string) => expandMacros(template, values, fixed);
  expect(expand("[ERRORCODE]")).toBe("007");
  expect(expand("[CACHEBUSTING]")).toBe("00000123");
  expect(expand("%%CACHEBUSTING%%&[random]")).toBe("00000123&00000123");
  expect(expand("[CACHEBUSTER]&%%CACHEBUSTER%%")).toBe("00000123&00000123");
  expect(expand("[TIMESTAMP]")).toBe("2026-05-04T03%3A02%3A01.000Z");
  expect(expand("[ADPLAYHEAD]/[MEDIAPLAYHEAD]")).toBe("00%3A01%3A01.500/-1");
  expect(expand("[ASSETURI]")).toBe("http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e");
  expect(expand("[IFA][GDPRCONSENT]")).toBe("-1-1");
  // Macros in Google's tags.
  expect(expand("[timestamp]")).toBe(String(Date.parse("2026-05-04T03:02:01Z")));
  expect(expand("[referrer_url]")).toBe(expand("[PAGEURL]"));
  expect(expand("[description_url]")).toBe("http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e");
  expect(expand("[time] [_] {pid} [] ${pid}")).toBe("[time] [_] {pid} [] ${pid}");
  expect(timecode(3661.0004)).toBe("01:01:01.000");
});

test("expands the macros of consent platforms, only with a platform's string", () => {
  const expand = (consent: string | undefined, gdpr: number | undefined) => {
    const environment = { ...fixed, consent: () => consent, gdpr: () => gdpr };
    return expandMacros("${GDPR}&${GDPR_CONSENT_755}&[GDPRCONSENT]", {}, environment);
  };
  expect(expand("CPXxRfA.a~b", 1)).toBe("1&CPXxRfA.a~b&CPXxRfA.a~b");
  expect(expand("1", 0)).toBe("0&&1");
  expect(expand(undefined, undefined)).toBe("&&-1");
});

test("parses offsets only as a clock time, a percentage or seconds", () => {
  expect(parseOffset("00:00:05")).toEqual({ kind: "seconds", s: 5 });
  expect(parseOffset(" 01:00:00.250 ")).toEqual({ kind: "seconds", s: 3600.25 });
  expect(parseOffset("12.5%")).toEqual({ kind: "percent", percent: 12.5 });
  expect(parseOffset("7")).toEqual({ kind: "seconds", s: 7 });
  for (const text of [null, "", "101%", "-5", "5s", "00:61:00", "1:2"]) {
    expect(parseOffset(text)).toBeNull();
  }
});

test("recognises a direct file by its path, not its query", () => {
  expect(isDirectFile("https://a/video.MP4?x=1")).toBe(true);
  expect(isDirectFile("https://a/video.webm#t=3")).toBe(true);
  expect(isDirectFile("https://a/tag?file=video.mp4")).toBe(false);
  expect(isDirectFile("https://a/vast.xml")).toBe(false);
  expect(mediaType("Video/MP4; codecs=avc1", "http://a/b")).toBe("video/mp4");
  expect(mediaType("", "http://a/b.m3u8?c")).toBe("application/vnd.apple.mpegurl");
});

test("tries files by format, then by the width that fits the player", () => {
  const file = (url: string, type: string, widthPx: number, bitrateKbps = 0) => ({
    url,
    type,
    widthPx,
    heightPx: 0,
    bitrateKbps,
  });
  const ordered = orderMediaFiles(
    [
      file("hls", "application/x-mpegurl", 640),
      file("webm", "video/webm", 640),
      file("small", "video/mp4", 320),
      file("wide", "video/mp4", 1920),
      file("fit-low", "video/mp4", 640, 300),
      file("fit-high", "video/mp4", 640, 900),
    ],
    640,
  );
  expect(ordered.map((f) => f.url)).toEqual([
    "fit-high",
    "fit-low",
    "wide",
    "small",
    "webm",
    "hls",
  ]);
});

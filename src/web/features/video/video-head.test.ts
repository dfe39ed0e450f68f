import { expect, onTestFinished, test } from "vitest";
import type { Video } from "#contract/videos/videos.ts";
import { textsOf } from "#texts/languages.ts";
import { followLanguage } from "#web/lib/language/page-language.ts";
import { videoSummary } from "#web/lib/page/head-of-video.ts";
import { siteOf, type Site } from "#web/lib/page/site.ts";
import { isoDuration, videoHead } from "./video-head.ts";

test("summarises a video without a description in the page's language", () => {
  const site = { name: "Harbour" } as Site;
  const video = {
    title: "Loom",
    description: null,
    actors: [],
    categories: [],
  } as unknown as Video;
  const actors = ["Ada", "Bo"].map((name) => ({ actor: { name } })) as Video["actors"];
  expect(videoSummary(video, site)).toBe("Watch “Loom” on Harbour.");
  expect(videoSummary({ ...video, actors }, site)).toBe("Watch “Loom” on Harbour: Ada, Bo.");
  followLanguage(() => ({ code: "de", prefix: "/de", texts: textsOf("de") }));
  onTestFinished(() => followLanguage(() => undefined));
  expect(videoSummary(video, site)).toBe("„Loom“ auf Harbour ansehen.");
  expect(videoSummary({ ...video, actors }, site)).toBe("„Loom“ auf Harbour ansehen: Ada, Bo.");
});

test.each([
  ["the size of its poster", "/media/v/a/b/poster.jpg", "960x540"],
  ["no size with an uploaded picture", "/media/v/a/thumbnail-b/w640.webp", "x"],
])("has %s", (_name, posterUrl, size) => {
  const video = {
    ...{ slug: "loom", title: "Loom", description: "Loom", duration: 60, posterUrl },
    ...{ width: 1920, height: 1080, videoUrl: null, thumbnail: posterUrl },
    ...{ actors: [], categories: [], tags: [], views: 0, likes: 0, isPublished: true },
  } as unknown as Video;
  const data = { video };
  const url = new URL("https://a.example/video/loom");
  const { meta } = videoHead({ data, site: siteOf(null, url.origin), params: {}, url });
  const read = (wanted: string) => meta?.find(({ name }) => name === wanted)?.content ?? "";
  expect(read("og:image")).toBe(url.origin + posterUrl);
  expect(`${read("og:image:width")}x${read("og:image:height")}`).toBe(size);
});

test.each([
  ["everyone", {}, true, true],
  ["apps", { mediaOnOtherSites: false, mediaWithoutOrigin: true }, false, true],
  ["nobody", { mediaOnOtherSites: false, mediaWithoutOrigin: false }, false, false],
])("names the media file if it is for %s elsewhere", (_who, media, hasPreview, hasContent) => {
  const video = {
    ...{ slug: "loom", title: "Loom", description: "Loom", duration: 60, posterUrl: null },
    ...{ width: 1920, height: 1080, videoUrl: "/media/v/a/play.mp4", thumbnail: null },
    ...{ actors: [], categories: [], tags: [], views: 0, likes: 0, isPublished: true },
  } as unknown as Video;
  const url = new URL("https://a.example/video/loom");
  const site = siteOf(null, url.origin);
  const settings = { ...site.settings, ...media };
  const head = videoHead({ data: { video }, site: { ...site, settings }, params: {}, url });
  const names = head.meta?.map(({ name }) => name);
  expect([names?.includes("og:video"), names?.includes("twitter:player")]).toEqual([
    hasPreview,
    true,
  ]);
  const [data] = head.jsonLd ?? [];
  expect(["contentUrl" in (data ?? {}), "embedUrl" in (data ?? {})]).toEqual([hasContent, true]);
});

test.each([
  ["a sensitive video", { isSensitive: true }, {}, "adult", true],
  ["every video behind an age gate", {}, { ageGate: true }, undefined, true],
  ["no other video", {}, {}, undefined, false],
])("marks %s as not family-friendly", (_which, values, rules, rating, isMarked) => {
  const video = {
    ...{ slug: "loom", title: "Loom", description: "Loom", duration: 60, posterUrl: null },
    ...{ width: 1920, height: 1080, videoUrl: null, thumbnail: null, ...values },
    ...{ actors: [], categories: [], tags: [], views: 0, likes: 0, isPublished: true },
  } as unknown as Video;
  const url = new URL("https://a.example/video/loom");
  const site = siteOf(null, url.origin);
  const settings = { ...site.settings, ...rules };
  const { meta, jsonLd } = videoHead({
    data: { video },
    site: { ...site, settings },
    params: {},
    url,
  });
  expect(meta?.find(({ name }) => name === "rating")?.content).toBe(rating);
  expect(JSON.stringify(jsonLd).includes('"isFamilyFriendly":false')).toBe(isMarked);
});

test.each([
  [0, "PT0S"],
  [5.4, "PT5S"],
  [60, "PT1M"],
  [3725, "PT1H2M5S"],
  [7200, "PT2H"],
])("formats %d s as %s in ISO 8601", (durationS, text) =>
  expect(isoDuration(durationS)).toBe(text),
);

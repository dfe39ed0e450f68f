import { expect, test } from "vitest";
import { siteOf } from "#web/lib/page/site.ts";
import { feedVideo } from "./core/feed-items.fixture.ts";
import { feedHead } from "./feed-head.ts";

const site = siteOf(null, "https://a.example");

test.each([
  ["public", undefined],
  ["unlisted", "noindex"],
] as const)("describes a clip that is %s like its page", (visibility, robots) => {
  const description = "long ".repeat(100);
  const clip = feedVideo("loom", { description, visibility, videoUrl: "/media/v/a/play.mp4" });
  const data = { videos: [clip], nextCursor: null, hasFailed: false, clip };
  const url = new URL("https://a.example/feed/loom");
  const head = feedHead({ data, url, site, params: {} });
  expect(head).toMatchObject({
    title: "loom · Kinora",
    canonical: "https://a.example/video/loom",
    links: [{ type: "application/json+oembed" }],
  });
  expect(head.description?.length).toBeLessThanOrEqual(200);
  const read = (wanted: string) => head.meta?.find(({ name }) => name === wanted)?.content;
  expect([read("twitter:player"), read("og:video"), read("robots")]).toEqual([
    "https://a.example/embed/loom",
    "https://a.example/media/v/a/play.mp4",
    robots,
  ]);
});

test.each([
  ["/", "https://a.example/"],
  ["/feed", "https://a.example/feed"],
])("describes the site at %s", (path, canonical) => {
  const data = { videos: [], nextCursor: null, hasFailed: false, clip: null };
  const head = feedHead({ data, url: new URL(path, site.url), site, params: {} });
  expect(head).toMatchObject({ title: "Kinora", canonical });
});

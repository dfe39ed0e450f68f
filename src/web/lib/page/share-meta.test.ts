import { expect, test } from "vitest";
import { shareMeta } from "./share-meta.ts";
import { siteOf } from "./site.ts";

const origin = "https://a.example";
const { settings: blank } = siteOf(null, origin);
const own = { url: `${origin}/media/v/a/poster.jpg`, width: 960, height: 540 };
const named = { siteName: "Harbour" };
const branded = { ...named, logoUrl: "/media/public/site/logo.png" };

test.each([
  ["the page's picture", branded, own, [own.url, "960", "summary_large_image"]],
  ["the site's logo", branded, null, [origin + branded.logoUrl, undefined, "summary"]],
  ["no picture of a site with a name", named, null, [undefined, undefined, "summary"]],
  ["Kinora's picture", {}, null, [`${origin}/social.png`, "1200", "summary_large_image"]],
])("shares %s", (_name, settings, image, shared) => {
  const site = siteOf({ ...blank, ...settings }, origin);
  const page = { title: "X", description: null, url: origin, type: "website" } as const;
  const meta = shareMeta(site, { ...page, image });
  const read = (wanted: string) => meta.find(({ name }) => name === wanted)?.content;
  const names = ["og:image", "og:image:width", "twitter:card"];
  expect(names.map(read)).toEqual(shared);
  expect(read("twitter:image")).toBe(shared[0]);
});

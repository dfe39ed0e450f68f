import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeTag } from "#test/factories/make-label.ts";
import { useAdsSite } from "../support/ads-site.ts";
import { addClip } from "../support/player-clips.ts";

/** Pages whose tags differ, so that each one requests new ads. */
const slugs = Array.from({ length: 11 }, (_, index) => `page-${index}`);

const site = useAdsSite({ type: "banner" }, async (app) => {
  for (const slug of slugs) {
    const tag = await makeTag(app.db);
    await addClip(app, "wide-0", { slug, title: slug }, { tagIds: [tag.id] });
  }
});

/** Opens a page of the site within the document, and waits for the ads of all its slots. */
async function open(page: Page, slug: string): Promise<void> {
  const asked = ["header", "sidebar"].map((placement) =>
    page.waitForResponse((response) => response.url().includes(`public?placement=${placement}`)),
  );
  await page.evaluate((path) => {
    const link = document.createElement("a");
    link.href = path;
    document.body.append(link);
    link.click();
    link.remove();
  }, `/video/${slug}`);
  await Promise.all(asked);
  await page.waitForURL(`**/video/${slug}`);
  await expect.poll(() => page.locator("iframe.spot-frame").count()).toBeGreaterThan(1);
  await page.waitForLoadState("networkidle");
}

test("goes back one page at a time, whatever the isolated banners of ten pages load", async () => {
  const { page, createAd } = site;
  const placements = ["header", "header", "sidebar", "sidebar", "footer"];
  for (const [index, placement] of placements.entries()) {
    await createAd({ title: `Ad ${index}`, placement, content: `<p>Ad ${index}</p>` });
  }
  await page.goto(`${site.app.url}/video/${slugs[0]}`);
  await page.locator("iframe.spot-frame").first().waitFor();
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  for (const slug of slugs.slice(1)) await open(page, slug);
  expect(await entries()).toBe(before + 10);
  for (const slug of slugs.slice(0, -1).toReversed()) {
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe(`/video/${slug}`);
  }
});

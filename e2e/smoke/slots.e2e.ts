import { expect, test } from "vitest";
import { useAdsSite } from "../support/ads-site.ts";
import { noteLayoutShifts } from "../support/layout-shifts.ts";
import { addClip } from "../support/player-clips.ts";

let slug: string;
const site = useAdsSite({ title: "An ad", type: "banner", placement: "header" }, async (app) => {
  slug = (await addClip(app, "wide-0")).slug;
});

test("shows one ad, counts it once, links it safely, and causes no layout shift", async () => {
  const { app, context, page, server, createAd, totalsOf } = site;
  const ad = await createAd({
    imageUrl: `${server.url}/picture.svg`,
    linkUrl: `${server.url}/landing?picture`,
    widthPx: 728,
    heightPx: 90,
  });
  await createAd({ placement: "footer", title: "Words below" });
  const shifts = await noteLayoutShifts(page);
  await page.goto(`${app.url}/video/${slug}`);
  const link = page.locator(".spot[data-slot=header] a");
  await link.waitFor();
  await expect.poll(() => link.getAttribute("rel")).toBe("noopener noreferrer sponsored");
  await expect.poll(async () => await totalsOf(ad)).toMatchObject({ impressions: 1, viewable: 1 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.locator(".spot[data-slot=footer]", { hasText: "Words below" }).waitFor();
  // A web font that loads late shifts words by some pixels (0.0005). An ad that pushes the page
  // down would exceed this limit many times over.
  expect(await shifts()).toBeLessThan(0.002);

  const [landing] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await landing.waitForLoadState();
  await expect
    .poll(() => landing.evaluate(() => [window.opener, document.referrer]))
    .toEqual([null, ""]);
  const asked = server.requests.indexOf("/landing?picture");
  expect([asked >= 0, server.referrers[asked]]).toEqual([true, undefined]);
  await expect.poll(async () => (await totalsOf(ad)).clicks).toBe(1);
  expect((await totalsOf(ad)).impressions).toBe(1);
});

import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { useAdsSite, userAgent } from "../support/ads-site.ts";
import { openVisitor, phone } from "../support/browser.ts";

const site = useAdsSite({ title: "An ad", type: "banner", placement: "footer" });
const { createAd, totalsOf } = site;
const slot = ".spot[data-slot=footer]";
let page: Page;
beforeEach(() => {
  ({ page } = site);
});

const creative = (on = page) => on.frameLocator(`${slot} iframe`).frameLocator("iframe");
async function openPage(on = page): Promise<void> {
  await on.goto(`${site.app.url}/trending`);
  await on.locator(slot).scrollIntoViewIfNeeded();
}
/** Waits in case a false click is counted or a false tab opens. */
const wait = (ms: number) => page.waitForTimeout(ms);

/**
 * Ad that claims clicks all the time and takes the focus whenever it can. Its beacon reports that
 * it runs, because inspecting the frame from the test would count as a gesture.
 */
const hostile = (server: string) => `<p>touch me</p><script>
  new Image().src = "${server}/beacon/hostile";
  setInterval(() => {
    window.focus();
    for (const spot of ["click", "press", "follow", "load"]) {
      parent.postMessage({ spot }, "*");
      parent.parent.postMessage({ spot }, "*");
    }
  }, 200);
</script>`;

test("ignores the messages of a hostile ad and counts one real click", async () => {
  const ad = await createAd({
    content: hostile(site.server.url),
    linkUrl: `${site.server.url}/landing?hostile`,
  });
  const tabs: string[] = [];
  site.context.on("page", (tab) => tabs.push(tab.url()));
  await openPage();
  await expect.poll(() => site.server.requests).toContain("/beacon/hostile");
  await wait(1000);
  expect([tabs.length, (await totalsOf(ad))["clicks"]]).toEqual([0, 0]);

  await page.locator("h1").click();
  await wait(1500);
  expect([tabs.length, (await totalsOf(ad))["clicks"]]).toEqual([0, 0]);

  const [landing] = await Promise.all([
    site.context.waitForEvent("page"),
    creative().locator("p").click(),
  ]);
  await landing.waitForLoadState();
  expect(landing.url()).toBe(`${site.server.url}/landing?hostile`);
  await expect
    .poll(() => landing.evaluate(() => [window.opener, document.referrer]))
    .toEqual([null, ""]);
  await expect.poll(async () => (await totalsOf(ad))["clicks"]).toBe(1);
  await wait(1000);
  expect([tabs.length, (await totalsOf(ad))["clicks"]]).toEqual([1, 1]);
});

test("opens a tab and counts one click for a link in an ad, also by keyboard", async () => {
  const ad = await createAd({ content: `<a href="${site.server.url}/landing?own">own link</a>` });
  await openPage();
  await creative().locator("a").focus();
  const [landing] = await Promise.all([
    site.context.waitForEvent("page"),
    page.keyboard.press("Enter"),
  ]);
  await landing.waitForLoadState();
  expect(landing.url()).toBe(`${site.server.url}/landing?own`);
  await expect.poll(() => landing.evaluate(() => window.opener)).toBeNull();
  await expect.poll(async () => (await totalsOf(ad))["clicks"]).toBe(1);
  await creative().locator("a").click();
  await wait(500);
  expect((await totalsOf(ad))["clicks"]).toBe(1);
});

test("opens one tab for a javascript: link that opens a window, and none for a # link", async () => {
  const ad = await createAd({
    content: `<script>var clickTag = "${site.server.url}/landing?tag"</script>
      <p><a href="#">details</a></p>
      <a href="javascript:void(window.open(clickTag)) // %%MACRO%%">offer</a>`,
    linkUrl: `${site.server.url}/landing?link`,
  });
  const tabs: Page[] = [];
  site.context.on("page", (tab) => tabs.push(tab));
  await openPage();
  await creative().getByText("details").click();
  await wait(1000);
  expect([tabs.length, (await totalsOf(ad))["clicks"]]).toEqual([0, 0]);
  await creative().getByText("offer").click();
  await expect.poll(() => tabs.map((tab) => tab.url())).toEqual([`${site.server.url}/landing?tag`]);
  await expect.poll(async () => (await totalsOf(ad))["clicks"]).toBe(1);
  await wait(500);
  expect(tabs).toHaveLength(1);
});

test("counts one click and opens the ad's link on a tap", async () => {
  const ad = await createAd({
    content: "<p>tap me</p>",
    linkUrl: `${site.server.url}/landing?tap`,
  });
  const { page } = await openVisitor(site.app.url, {
    ...phone,
    userAgent: userAgent.replace("Chrome/", "Mobile Chrome/"),
  });
  await openPage(page);
  const text = creative(page).locator("p");
  await text.waitFor();
  const [landing] = await Promise.all([page.context().waitForEvent("page"), text.tap()]);
  await landing.waitForLoadState();
  expect(landing.url()).toBe(`${site.server.url}/landing?tap`);
  await expect.poll(async () => (await totalsOf(ad))["clicks"]).toBe(1);
});

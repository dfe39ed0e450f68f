import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openVisitor, phone } from "../support/browser.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
beforeAll(async () => {
  await makeVideo(app.db, { slug: "night", title: "Night" });
  await makeAd(app.db, { title: "Offer", placement: "footer" });
  const owner = createClient(app.url, await app.signIn("OWNER"));
  await owner.call("POST", "/api/settings", { privacy: "Written by <b>us</b>: עברית" });
});

/** The videos have no files. */
const expectProblems = /media|MEDIA_ERR|NotSupportedError|play|404/i;

const countLikes = async () =>
  (await app.db.selectFrom("likes").select("visitor_id").execute()).length;

it("lists everything that the browser stores, and deletes it", async () => {
  const { page } = await openVisitor(app.url, { expectProblems });
  await serveThumbnails(page);
  await page.goto("/video/night");
  await page.getByRole("button", { name: "More about this video" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Watch later" }).click();
  const like = page.getByRole("button", { name: /^Like/ });
  await like.click();
  await expect.poll(countLikes).toBe(1);
  await page.goto("/home?ref=law");
  const search = page.locator("header").getByRole("combobox", { name: "Search videos" });
  await search.fill("night");
  await search.press("Enter");
  await page.waitForURL(/search=night/);
  await page.evaluate(() => localStorage.setItem("theme", "dark"));

  await page.goto("/home");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await page.getByText("Written by <b>us</b>: עברית").waitFor();
  const text = await page.locator("main").innerText();
  const kept = await page.evaluate(() => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage).map((key) => key.replace(/^referral .*/, "referral")),
  ]);
  const [visitorCookie, ...others] = await page.context().cookies();
  expect(kept).toEqual(expect.arrayContaining(["kinora.library", "theme", "scroll"]));
  expect([visitorCookie?.name, others]).toEqual(["visitor", []]);
  for (const name of [...kept, "visitor"]) expect(text).toContain(name);

  await page.getByRole("button", { name: "Delete my data" }).click();
  await page.getByText("Everything stored about you has been deleted.").waitFor();
  await expect.poll(countLikes).toBe(0);
  // The test support code sets player preferences in every document.
  const left = await page.evaluate(() => Object.keys(localStorage));
  expect(left.filter((key) => key !== "kinora.player")).toEqual([]);
  // An ad of the new page may start a new visitor.
  const values = (await page.context().cookies()).map(({ value }) => value);
  expect(values).not.toContain(visitorCookie?.value);
  await page.goto("/library");
  await page.getByText("Videos you save for later appear here.").waitFor();
});

it("deletes what the browser stores if the button is pressed before scripts have loaded", async () => {
  const { page } = await openVisitor(app.url, { expectProblems: /ERR_FAILED/ });
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/privacy");
  await page.evaluate(() => localStorage.setItem("kinora.searches", "[]"));
  await page.getByRole("button", { name: "Delete my data" }).click();
  await page.getByText("Everything stored about you has been deleted.").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("kinora.searches"))).toBeNull();
});

it("works without scripts", async () => {
  const { page } = await openVisitor(app.url, { ...phone, javaScriptEnabled: false });
  await page.context().request.post(`${app.url}/api/videos/night/like`);
  await expect.poll(countLikes).toBe(1);
  await page.goto("/privacy");
  await page
    .getByRole("region", { name: "Cookies" })
    .getByText("visitor", { exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Delete my data" }).click();
  await page.getByText("Everything stored about you has been deleted.").waitFor();
  await expect.poll(countLikes).toBe(0);
  expect(await page.context().cookies()).toEqual([]);
});

import { expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { expectAccessible } from "../support/accessible.ts";
import { desktop, phone, provoked } from "../support/browser.ts";
import { waitForPlaying } from "../support/playback.ts";
import { addCaptions, addClip, wholeLine } from "../support/player-clips.ts";
import { shareSite } from "../support/shared-site.ts";

const site = shareSite(async (app) => {
  const clip = await addClip(app, "long", { slug: "premium", title: "Premium", is_premium: true });
  await addCaptions(app, clip.id, "language=en", wholeLine("for members"));
  await addClip(app, "long", { slug: "free", title: "Free" });
  const admin = createClient(app.url, await app.signIn());
  const settings = { premiumAccess: "members", membersUrl: "https://shop.example/join" };
  const { status } = await admin.call("POST", "/api/settings", settings);
  if (status !== 200) throw new Error("The settings weren't saved");
});

const admin = async () => createClient(site.url, await site.app.signIn());
async function createPass(body: object = {}): Promise<{ id: string; code: string }> {
  const { json } = await (await admin()).call("POST", "/api/admin/passes", { days: 30, ...body });
  return json;
}

it("plays a premium video after the link of a pass was opened, and locks it after the end", async () => {
  const { id, code } = await createPass();
  const { page } = await site.open({ ...desktop, expectProblems: provoked });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${site.url}/video/premium`);
  await page.getByText("Only members can watch this video.").waitFor();
  expect(await page.getByRole("link", { name: "Become a member" }).getAttribute("href")).toBe(
    "https://shop.example/join",
  );
  await expectAccessible(page);

  await page.goto(`${site.url}/pass#${code}`);
  await page.getByRole("button", { name: "Use it here" }).click();
  await page.getByText("This device uses the pass.").waitFor();
  expect(page.url()).not.toContain(code);
  expect(requested.filter((url) => url.includes(code))).toEqual([]);
  await expectAccessible(page);

  await page.goto(`${site.url}/video/premium`);
  const player = ".player video";
  await page.locator(".player-controls").waitFor({ state: "attached" });
  const media = page.locator(player).first();
  if (await media.evaluate((element: HTMLVideoElement) => element.paused)) {
    await page.locator(".player-big-play").click();
  }
  await waitForPlaying(page, player);
  await page
    .getByLabel(/^Member until/)
    .first()
    .waitFor();
  await page
    .locator(".video-page-about")
    .evaluate((about) => about.scrollIntoView({ block: "end" }));
  await page.getByRole("region", { name: "Transcript" }).getByText("for members").waitFor();

  await (await admin()).call("DELETE", `/api/admin/passes/${id}`);
  await page.reload();
  await page.getByText("Only members can watch this video.").waitFor();
  expect(await page.locator(".player-controls").count()).toBe(0);
});

it("needs no scripts for a pass that is typed, and leaves from the menu", async () => {
  const { code } = await createPass();
  const { page } = await site.open({ ...phone, javaScriptEnabled: false });
  await page.goto(`${site.url}/video/premium`);
  await page.getByRole("link", { name: "I have a pass" }).click();
  await page.getByLabel("Code").fill(code.toLowerCase());
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText("Used on 0 of 3 devices.").waitFor();
  await page.getByRole("button", { name: "Use it here" }).click();
  await page.getByText("This device uses the pass.").waitFor();
  expect(
    await page.getByRole("link", { name: "Continue to the videos" }).getAttribute("href"),
  ).toBe("/video/premium");
  await page.getByRole("button", { name: /^Leave: / }).click();
  await page.getByText("Enter the code of your pass").waitFor();
});

it("leaves a pass from the header", async () => {
  const { code } = await createPass();
  const { page } = await site.open(desktop);
  await page.goto(`${site.url}/pass`);
  // Changes the fragment only.
  await page.goto(`${site.url}/pass#${code}`);
  await page.getByRole("button", { name: "Use it here" }).click();
  await page.getByText("This device uses the pass.").waitFor();
  await page.goto(`${site.url}/home`);
  const menu = page.getByLabel(/^Member until/).first();
  await menu.press("Enter");
  await page.getByRole("link", { name: /^Member until/ }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await menu.press("Enter");
  await page.getByRole("button", { name: "Leave" }).press("Enter");
  await page.getByRole("link", { name: "Sign In" }).first().waitFor();
  await menu.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/home");
});

it("plays a locked clip in the feed for a member", async () => {
  const { code } = await createPass();
  const { page } = await site.open(phone);
  await page.goto(`${site.url}/pass?next=/feed/premium#${code}`);
  await page.getByRole("button", { name: "Use it here" }).click();
  await page.getByRole("link", { name: "Continue to the videos" }).click();
  await waitForPlaying(page, "[data-active] video");
  expect(new URL(page.url()).pathname).toBe("/feed/premium");
});

it("shows a locked clip of the feed as a panel", async () => {
  const { page } = await site.open(phone);
  await page.goto(`${site.url}/feed/premium`);
  await page.getByRole("link", { name: "I have a pass" }).waitFor();
});

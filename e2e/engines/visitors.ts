import { expect, it } from "vitest";
import type { EngineSite } from "./support/engine-site.ts";
import { expectWholeDialog, waitFor, waitForHydration, waitForText } from "./support/screen.ts";

export function testVisitors(site: EngineSite): void {
  it("opens a dialog that fits a phone, and returns the focus on Escape", async () => {
    const page = await site.open("/video/northern-lights", { size: "phone" });
    await waitForHydration(page);
    await page.click({ css: "button", name: "Share" });
    await expectWholeDialog(page);
    const address = () => document.querySelector<HTMLInputElement>("[role=dialog] input")?.value;
    expect(await waitFor(page, address)).toContain("/video/northern-lights");
    await page.press("Escape");
    await waitFor(page, () => document.querySelector("[role=dialog]") === null);
    await waitFor(page, () => document.activeElement?.textContent === "Share");
  });

  it("likes a video by keyboard, and keeps it in the library", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    const like = "[role=group] button[aria-pressed=false]";
    await page.evaluate((css) => document.querySelector<HTMLElement>(css)?.focus(), like);
    await page.press("Enter");
    await waitForText(page, "[role=group] button[aria-pressed=true]:focus", "Liked");
    await page.goto("/library");
    await waitForText(page, "main section:first-of-type", "Northern lights");
    const first = () => document.querySelector("main section h2")?.textContent;
    expect(await page.evaluate(first)).toBe("Favorites");
    await page.goto("/library#history");
    await waitForText(page, "main", "Northern lights");
  });

  it("suggests videos while a visitor types in the header's box, and searches", async () => {
    const page = await site.open("/home");
    await waitForHydration(page);
    await page.enter("header input[type=search]", "nor");
    await waitForText(page, "header [role=option]", "Northern");
    await page.press("Enter");
    await waitFor(page, () => location.search === "?search=nor");
    await waitForText(page, "main", "Northern lights");
  });
}

export function testMembers(site: EngineSite): void {
  it("plays a video for members after the link of a pass was opened", async () => {
    const { admin } = site;
    const settings = (premiumAccess: string) =>
      admin.call("POST", "/api/settings", { premiumAccess });
    const { json: found } = await admin.call("GET", "/api/videos/northern-lights");
    const mark = (isPremium: boolean) =>
      admin.call("PUT", `/api/videos/${found.id}`, { isPremium });
    await mark(true);
    await settings("members");
    try {
      const { json: pass } = await admin.call("POST", "/api/admin/passes", { days: 1 });
      const page = await site.open("/video/northern-lights", { size: "phone" });
      await waitForText(page, ".locked p", "Only members can watch this video.");
      await waitForHydration(page);
      await page.goto(`/pass?next=/video/northern-lights#${pass.code}`);
      await waitForText(page, "main button", "Use it here");
      expect(await page.evaluate(() => location.hash)).toBe("");
      await page.click({ css: "main button", name: "Use it here" });
      await waitForText(page, "[role=status]", "This device uses the pass.");
      await page.click({ css: "main a", name: "Continue to the videos" });
      await waitFor(
        page,
        () => document.querySelector(".player:not(.locked) .player-media") !== null,
      );
      await waitFor(page, () => document.querySelector("header a[href^='/pass']") !== null);
    } finally {
      await settings("badge");
      await mark(false);
    }
  });
}

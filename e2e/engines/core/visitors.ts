import { expect, it } from "vitest";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForHydration, waitForText } from "../support/screen.ts";

/** Registers the tests of the public screens. */
export function visitorTests(site: EngineSite): void {
  it("suggests videos while a visitor types in the header's box, and searches", async () => {
    const page = await site.open("/home");
    await waitForHydration(page);
    await page.enter("header input[type=search]", "nor");
    await waitForText(page, "header [role=option]", "Northern");
    await page.press("Enter");
    await waitFor(page, () => location.search === "?search=nor");
    await waitForText(page, "main", "Northern lights");
  });

  it.each(["phone", "laptop"] as const)(
    "stores a liked video in the library at %s",
    async (size) => {
      const page = await site.open("/video/northern-lights", { size });
      await waitForHydration(page);
      await page.click("[role=group] button[aria-pressed=false]");
      await waitForText(page, "[role=group] button[aria-pressed=true]", "Liked");
      await page.goto("/favorites");
      await waitForText(page, "main", "Northern lights");
      await page.goto("/library");
      await waitForText(page, "main section:first-of-type", "Northern lights");
      const first = () => document.querySelector("main section h2")?.textContent;
      expect(await page.evaluate(first)).toBe("Favorites");
      await page.goto("/library#history");
      await waitForText(page, "main", "Northern lights");
    },
  );

  it("copies the address of a video", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await page.click({ css: "button", name: "Share" });
    const address = await waitFor(
      page,
      () => document.querySelector<HTMLInputElement>("[role=dialog] input")?.value,
    );
    expect(address).toContain("/video/northern-lights");
    await page.press("Escape");
    await waitFor(page, () => document.querySelector("[role=dialog]") === null);
    await waitFor(page, () => document.activeElement?.textContent === "Share");
  });

  it("keeps the focus on a button while its request runs", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    const buttons = "[role=group] button[aria-pressed=false]";
    await page.evaluate((css) => document.querySelector<HTMLElement>(css)?.focus(), buttons);
    await page.press("Enter");
    await waitForText(page, "[role=group] button[aria-pressed=true]:focus", "Liked");
  });

  it("gives a popup equal margins, even if the scrollbar takes up space", async () => {
    const popup = { type: "popup", placement: "footer", linkUrl: "https://example.com/" };
    const { json } = await site.admin.call("POST", "/api/ads", { title: "A popup", ...popup });
    try {
      const page = await site.open("/home", { size: "phone" });
      const gaps = await waitFor(page, () => {
        const box = document.querySelector("body > .spot-popup")?.getBoundingClientRect();
        if (box === undefined) return null;
        return [box.left, document.documentElement.clientWidth - box.right];
      });
      expect(gaps).toEqual([16, 16]);
    } finally {
      await site.admin.call("DELETE", `/api/ads/${json.id}`);
    }
  });

  it("reports a video", async () => {
    const page = await site.open("/report/clip-1", { size: "phone" });
    await waitForHydration(page);
    await page.click({ css: "input[type=radio]", name: "Violence or hatred" });
    await page.click({ css: "button", name: "Send report" });
    await waitForText(page, "main", "Thank you.");
  });

  it("sends a comment", async () => {
    await site.admin.call("POST", "/api/settings", { comments: "held" });
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await page.click({ css: "section a", name: "Comments" });
    await page.enter("textarea[name=text]", "What a night");
    await page.click({ css: "button", name: "Send comment" });
    await waitForText(page, "main", "Your comment will appear once a moderator approves it.");
  });
}

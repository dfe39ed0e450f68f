import { beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openVisitor, phone } from "../support/browser.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { usePages } from "../support/shared-site.ts";

const app = usePages();
beforeAll(async () => {
  await makeVideo(app.db, { slug: "night", title: "Night", is_sensitive: true });
  const owner = createClient(app.url, await app.signIn("OWNER"));
  await owner.call("POST", "/api/settings", { ageGate: true });
  // Applies the rule before the first visit.
  await app.context.restrictions.refresh();
});

/** User agent without the word "Headless". */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

it.each([true, false])("asks for the age once, with scripts: %s", async (javaScriptEnabled) => {
  const { page } = await openVisitor(app.url, { ...phone, userAgent, javaScriptEnabled });
  await serveThumbnails(page);
  await page.goto("/home?search=night");
  await page.getByRole("heading", { name: "Are you 18 or older?" }).waitFor();
  if (javaScriptEnabled) {
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(excess).toBeLessThanOrEqual(0);
  }
  await page.getByRole("button", { name: "No" }).click();
  await page.getByText("You must be 18 or older").waitFor();
  await page.goto("/home?search=night");
  await page.getByRole("button", { name: "Yes, I am 18 or older" }).click();
  await page.waitForURL("**/home?search=night");
  const card = page.getByRole("link", { name: "Night" });
  await card.waitFor();
  await expect.poll(() => card.locator("img").getAttribute("class")).toContain("blur");
  await page.goto("/trending");
  await page.getByRole("heading", { name: "Trending" }).first().waitFor();
});

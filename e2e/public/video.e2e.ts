import { describe, expect, it } from "vitest";
import { arabic, english, languages } from "../support/languages.ts";
import { usePublicSite } from "../support/public-site.ts";
import { screens, provoked } from "../support/browser.ts";

/** The videos of this site have no files, so they don't play. */
const noVideo = /media|MEDIA_ERR|NotSupportedError|play/i;

const site = usePublicSite({ expectProblems: noVideo });

describe("video page", () => {
  it("includes title, counts, chips, related videos and metadata in the HTML", async () => {
    const html = await (await fetch(`${site.url}/video/study-30`)).text();
    expect(html).toContain("<title>Study 30 · Kinora</title>");
    expect(html).toMatch(/<link rel="canonical" href="[^"]+\/video\/study-30"/);
    expect(html).toMatch(/property="og:video" content="http/);
    expect(html).toContain('name="twitter:card" content="player"');
    expect(html).toContain('href="/categories/fractals"');
    expect(html).toContain("#slow");
    const data = [
      ...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/g),
    ].map((match) => JSON.parse(match[1] ?? "") as Record<string, unknown>);
    const videoObject = data.find((item) => item["@type"] === "VideoObject");
    expect(videoObject).toMatchObject({ name: "Study 30", duration: "PT1M30S" });
    expect(String(videoObject?.["contentUrl"])).toMatch(/^http/);
    expect(String(videoObject?.["embedUrl"])).toMatch(/\/embed\/study-30$/);
    expect(data.some((item) => item["@type"] === "BreadcrumbList")).toBe(true);
    expect(
      html.match(/<section aria-label="Related videos">.*?<\/section>/)?.[0]?.match(/<li/g),
    ).toHaveLength(6);
  });

  it.each(languages)(
    "responds with a 404 page for a missing video, in $language",
    async ({ prefix, texts }) => {
      const response = await fetch(`${site.url}${prefix}/video/there-is-none`);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain(`<title>${texts.video.notFound} · `);
      expect(html).toContain(`${texts.video.notFound}</h1>`);
    },
  );

  it("likes at once, shows Liking... meanwhile, and keeps the server's count", async () => {
    const { page } = await site.visit("/video/study-30");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/videos/*/like", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.fallback();
    });
    await page.getByRole("button", { name: /^Like\s*30/ }).click();
    const busy = page.getByRole("button", { name: /^Liking\.\.\.\s*31/ });
    await busy.waitFor();
    await expect.poll(() => busy.isDisabled()).toBe(true);
    release();
    await page.getByRole("button", { name: /^Liked\s*31/ }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^Liked\s*31/ }).waitFor();
    await page.getByRole("button", { name: /^Liked/ }).click();
    await page.getByRole("button", { name: /^Like\s*30/ }).waitFor();
  });

  it.each([
    { ...english, screen: "laptop", viewport: screens.laptop },
    { ...arabic, screen: "phone", viewport: screens.phone },
  ])(
    "never covers the button just pressed with its toast, on a $screen in $language",
    async ({ viewport, prefix, texts }) => {
      const { page } = await site.visit(`${prefix}/video/study-27`, {
        viewport,
        expectProblems: provoked,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const save = page.getByRole("button", { name: texts.video.save, exact: true });
      await save.waitFor();
      // The button is where toasts usually are.
      await page.setViewportSize({
        width: viewport.width,
        height: Math.round(((await save.boundingBox())?.y ?? 0) + 110),
      });
      await page.route("**/favorite", (route) => route.abort());
      await save.click();
      const toast = page.locator(".toast").first();
      await toast.waitFor();
      const [button, shown] = [await save.boundingBox(), await toast.boundingBox()];
      expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(button?.y ?? 0);
    },
  );

  it("shows Like and Share on a phone's screen, in Arabic", async () => {
    const { prefix, texts } = arabic;
    const { page } = await site.visit(`${prefix}/video/study-30`, { viewport: screens.phone });
    for (const name of [new RegExp(`^${texts.video.like}`), texts.video.share]) {
      const button = page
        .getByRole("group", { name: texts.video.actions })
        .getByRole("button", { name });
      await button.waitFor();
      const box = await button.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(screens.phone.width);
    }
  });

  it("saves to the favorites without an account", async () => {
    const { page } = await site.visit("/favorites");
    await page.getByText("No favorites yet").waitFor();
    await page.goto("/video/study-27");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved to Favorites").waitFor();
    await page.goto("/favorites");
    await page.getByRole("link", { name: /Study 27/ }).waitFor();
    await page.getByRole("button", { name: "Remove from favorites: Study 27" }).click();
    await page.getByText("No favorites yet").waitFor();
  });

  it("updates title and canonical URL on navigation", async () => {
    const { page } = await site.visit("/home");
    await page
      .getByRole("link", { name: /Study 30/ })
      .first()
      .click();
    await expect.poll(() => page.title()).toBe("Study 30 · Kinora");
    const canonical = page.locator("link[rel=canonical]");
    await expect.poll(() => canonical.count()).toBe(1);
    await expect.poll(() => canonical.getAttribute("href")).toMatch(/\/video\/study-30$/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.goBack();
    await expect.poll(() => page.title()).toBe("Home · Kinora");
  });

  it("shows its content without scripts", async () => {
    const { page } = await site.visit("/video/study-30", { javaScriptEnabled: false });
    await page.getByRole("heading", { level: 1, name: "Study 30" }).waitFor();
    await expect.poll(() => page.locator("video[controls]").count()).toBe(1);
    await page.getByRole("link", { name: "Fractals" }).click();
    await page.getByRole("heading", { level: 1, name: "Fractals" }).waitFor();
  });

  it("lets other sites frame only the embed", async () => {
    const embed = await fetch(`${site.url}/embed/study-30`);
    expect(embed.headers.get("content-security-policy")).not.toContain("frame-ancestors");
    const video = await fetch(`${site.url}/video/study-30`);
    expect(video.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  });
});

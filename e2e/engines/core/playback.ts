import { expect, it } from "vitest";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForHydration, waitForPlaying, waitForText } from "../support/screen.ts";

const video = ".player-media";

/** Runs in the page. */
function seek(css: string, positionS: number): void {
  const media = document.querySelector<HTMLVideoElement>(css);
  if (media !== null) media.currentTime = positionS;
}

export function playbackTests(site: EngineSite): void {
  it("plays a video with its ladder and seeks in it", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, 40);
    const at = await waitFor(
      page,
      (css) => {
        const media = document.querySelector<HTMLVideoElement>(css);
        return media !== null && media.currentTime > 40.3 ? media.currentTime : null;
      },
      video,
    );
    expect(at).toBeLessThan(60);
  });

  it("shows captions when their key is pressed", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    // Keys only work after the controls have loaded.
    await waitFor(
      page,
      () => document.querySelector(".player button[aria-label^=Captions]") !== null,
    );
    await page.press("c");
    await waitForText(page, ".player-captions p", "Look up");
  });

  it.each(["phone", "laptop"] as const)("plays on after a pre-roll at %s", async (size) => {
    await withAd(site, { type: "video", placement: "preroll" }, async () => {
      const page = await openBreak(site, { size, startsAtS: 0 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
    });
  });

  it("plays on after a seek to just before an ad break", async () => {
    await withAd(site, { type: "video", placement: "midroll" }, async () => {
      const page = await openBreak(site, { startsAtS: 36 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
      expect(
        await page.evaluate(
          (css) => document.querySelector<HTMLVideoElement>(css)?.currentTime,
          video,
        ),
      ).toBeGreaterThan(36);
    });
  });

  it("opens the player's settings in the player's own colors", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await page.click({ css: ".player button", name: "Settings" });
    const bar = await waitFor(page, () => {
      const menu = document.querySelector("[role=menu]");
      // WebKit before 26 lacks the property.
      return menu === null ? null : (getComputedStyle(menu).scrollbarColor ?? "none");
    });
    expect(bar).not.toBe("auto");
    await page.press("Escape");
  });
}

/**
 * Opens the video and seeks to just before an ad break. The video waits for an ad for only three
 * seconds, so a busy machine may miss the break, and the page is opened again.
 */
async function openBreak(
  site: EngineSite,
  { size, startsAtS }: { size?: "phone" | "laptop"; startsAtS: number },
): Promise<EnginePage> {
  const page = await site.open("/video/northern-lights", { size });
  for (let triesLeft = 4; !(await reachBreak(page, startsAtS)); triesLeft -= 1) {
    if (triesLeft === 0) throw new Error(`${page.engine}, ${page.size}: five openings without ad`);
    await page.goto("/video/northern-lights");
  }
  return page;
}

/** Returns whether the break at this position of the opened video shows an ad. */
async function reachBreak(page: EnginePage, startsAtS: number): Promise<boolean> {
  if (startsAtS > 0) {
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, startsAtS - 1);
  }
  const result = await waitFor(
    page,
    (css, missedAtS) => {
      const ad = document.querySelector(".spot-break");
      if (ad?.checkVisibility() && ad.textContent.includes("Advertisement")) return "shown";
      const media = document.querySelector<HTMLVideoElement>(css);
      return ad === null && media !== null && media.currentTime > missedAtS ? "missed" : null;
    },
    video,
    startsAtS + 3,
  );
  return result === "shown";
}

/** Runs a test while the site has this ad and no other. */
async function withAd(
  site: EngineSite,
  values: Record<string, unknown>,
  run: () => Promise<void>,
): Promise<void> {
  const made = await site.admin.call("POST", "/api/ads", {
    title: "A card",
    linkUrl: "https://example.com/",
    ignoresBreakRules: true,
    ...values,
  });
  expect(made.status).toBe(201);
  try {
    await run();
  } finally {
    await site.admin.call("DELETE", `/api/ads/${made.json.id}`);
  }
}

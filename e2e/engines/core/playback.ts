import { expect, it } from "vitest";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForHydration, waitForPlaying } from "../support/screen.ts";

const video = ".player-media";

export function playbackTests(site: EngineSite): void {
  it("plays a video with its ladder and seeks in it", async () => {
    const page = await site.open("/video/northern-lights");
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await page.evaluate((css) => {
      const media = document.querySelector<HTMLVideoElement>(css);
      if (media !== null) media.currentTime = 40;
    }, video);
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
}

import { it } from "vitest";
import type { EnginePage } from "./support/engine-page.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { waitFor, waitForPlaying } from "./support/screen.ts";

const activeVideo = ".feed-item[data-active] video";

/** Waits until this item fills the frame and the scroll has ended. */
const waitForItem = (page: EnginePage, number: number) =>
  waitFor(
    page,
    (wanted) => {
      const item = document.querySelector(".feed-item[data-active]");
      const scroller = document.querySelector(".feed-scroller");
      if (item === null || scroller === null) return false;
      const way = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      return Number(item.getAttribute("aria-posinset")) === wanted && Math.abs(way) < 1.5;
    },
    number,
  );

async function openFeed(site: EngineSite, size: "phone" | "laptop"): Promise<EnginePage> {
  const page = await site.open("/feed", { size });
  await waitFor(
    page,
    () =>
      document.querySelectorAll(".feed-item:not([hidden])").length > 1 &&
      document.querySelector("[role=feed][aria-busy=false]") !== null,
  );
  await waitForPlaying(page, activeVideo);
  return page;
}

export function testFeed(site: EngineSite): void {
  it("plays the feed and moves by swipes on a phone", async () => {
    const page = await openFeed(site, "phone");
    await page.swipe({ x: 150, y: 560 }, { x: 150, y: 260 });
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.swipe({ x: 150, y: 260 }, { x: 150, y: 560 });
    await waitForItem(page, 1);
  });

  it("moves one item for a key or a turn of the wheel", async () => {
    const page = await openFeed(site, "laptop");
    await page.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.press("ArrowUp");
    await waitForItem(page, 1);
    await page.wheel({ x: 720, y: 450 }, 240);
    await waitForItem(page, 2);
    await page.wheel({ x: 720, y: 450 }, -240);
    await waitForItem(page, 1);
  });
}

export function testBusyFeed(site: EngineSite): void {
  it("moves one item per short swipe while the page is busy", async () => {
    const page = await openFeed(site, "phone");
    // Blocks most frames of the animation, like a slow device.
    await page.evaluate(() => {
      setInterval(() => {
        const endMs = performance.now() + 120;
        while (performance.now() < endMs);
      }, 160);
    });
    for (const [number, way] of [
      [2, 56],
      [3, 56],
      [2, -56],
      [1, -56],
    ] as const) {
      await page.swipe({ x: 150, y: 400 + way / 2 }, { x: 150, y: 400 - way / 2 });
      await waitForItem(page, number);
    }
  });
}

import { it } from "vitest";
import type { EnginePage } from "../support/engine-page.ts";
import type { EngineSite } from "../support/engine-site.ts";
import { waitFor, waitForPlaying } from "../support/screen.ts";

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
  return page;
}

export function feedTests(site: EngineSite): void {
  it.each(["phone", "laptop"] as const)("plays the feed and moves by keys at %s", async (size) => {
    const page = await openFeed(site, size);
    await waitForPlaying(page, activeVideo);
    await page.press("ArrowDown");
    await waitForItem(page, 2);
    await waitForPlaying(page, activeVideo);
    await page.press("ArrowUp");
    await waitForItem(page, 1);
  });

  it("moves one item for one turn of the wheel", async () => {
    const page = await openFeed(site, "laptop");
    await page.wheel({ x: 720, y: 450 }, 240);
    await waitForItem(page, 2);
    await page.wheel({ x: 720, y: 450 }, -240);
    await waitForItem(page, 1);
  });
}

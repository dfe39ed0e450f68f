import type { Page } from "playwright-core";

/**
 * How much wider the page is than its window, in pixels. The body clips what is beyond, where no user
 * can scroll, so the page itself always has the width of the window.
 */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { documentElement, body } = document;
    body.style.overflowX = "visible";
    const px = documentElement.scrollWidth - documentElement.clientWidth;
    body.style.overflowX = "";
    return px;
  });

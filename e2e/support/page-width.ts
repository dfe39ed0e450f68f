import type { Page } from "playwright-core";

/**
 * Returns how many pixels wider the page is than its window. The body clips the overflow, so the
 * page itself is always as wide as the window.
 */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { documentElement, body } = document;
    body.style.overflowX = "visible";
    const px = documentElement.scrollWidth - documentElement.clientWidth;
    body.style.overflowX = "";
    return px;
  });

import type { Page } from "playwright-core";

/**
 * Returns by how many pixels the page is wider than its window. The body clips the overflow, so the
 * page itself always has the width of the window.
 */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { documentElement, body } = document;
    body.style.overflowX = "visible";
    const px = documentElement.scrollWidth - documentElement.clientWidth;
    body.style.overflowX = "";
    return px;
  });

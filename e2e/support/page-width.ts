import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Returns how many pixels wider this page is than its window. Runs in the page. The body clips the
 * overflow, so without this the page is always as wide as the window.
 */
export function measureOverflowPx(): number {
  const { documentElement, body } = document;
  body.style.overflowX = "visible";
  const px = documentElement.scrollWidth - documentElement.clientWidth;
  body.style.overflowX = "";
  return px;
}

/** Returns how many pixels wider a page is than its window. */
export const overflowPx = (page: Page): Promise<number> => page.evaluate(measureOverflowPx);

/** Expects that the page fits into its window with normal text and with text of twice the size. */
export async function expectFitsAtEachTextSize(page: Page): Promise<void> {
  for (const size of ["200%", "100%"]) {
    await page.evaluate((to) => document.documentElement.style.setProperty("font-size", to), size);
    const read = async () => [page.url(), size, await overflowPx(page)];
    await expect.poll(read).toEqual([page.url(), size, 0]);
  }
}

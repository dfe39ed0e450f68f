import type { Page } from "playwright-core";

/**
 * Scrolls to the end of the page. Returns the pixels between the last link and the bar at the
 * bottom.
 */
export const gapAtEnd = (page: Page, over: string): Promise<number> =>
  page.evaluate((query) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const top = document.querySelector(query)?.getBoundingClientRect().top ?? 0;
    const links = [...document.querySelectorAll("footer a")];
    return top - Math.max(...links.map((link) => link.getBoundingClientRect().bottom));
  }, over);

import type { Page } from "playwright-core";

/** Scrolls to the end of the page. How far its last link is above what stays over the page, in pixels. */
export const gapAtEnd = (page: Page, over: string): Promise<number> =>
  page.evaluate((query) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const top = document.querySelector(query)?.getBoundingClientRect().top ?? 0;
    const links = [...document.querySelectorAll("footer a")];
    return top - Math.max(...links.map((link) => link.getBoundingClientRect().bottom));
  }, over);

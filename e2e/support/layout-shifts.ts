import type { Page } from "playwright-core";

/**
 * Sum of all layout shifts so far. Takes the records directly, because callbacks don't run on pages
 * without scripts.
 */
export const layoutShiftSoFar = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    return observer
      .takeRecords()
      .filter((entry) => Reflect.get(entry, "hadRecentInput") !== true)
      .reduce((sum, entry) => sum + Number(Reflect.get(entry, "value")), 0);
  });

/** Adds up the layout shifts of every page that is opened from now on. Returns the sum of the page. */
export async function noteLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const sums = { layoutShift: 0 };
    Object.assign(globalThis, { sums });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, "hadRecentInput") !== true) {
          sums.layoutShift += Number(Reflect.get(entry, "value"));
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(
      () => (globalThis as unknown as { sums: { layoutShift: number } }).sums.layoutShift,
    );
}

import type { Page } from "playwright-core";

/**
 * Returns the sum of all layout shifts so far. Reads the records directly, because callbacks don't
 * run on pages without scripts.
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

/**
 * Adds up the layout shifts of each page opened from now on. Returns a function that reads the
 * current page's sum.
 */
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

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export type Connection = "local" | "fast 4G" | "slow 4G";

/**
 * Presets of Chrome's developer tools (Lighthouse uses the second): bandwidth in bits per second, of
 * which 90% is usable, and the round trip in milliseconds, multiplied because one delay per request
 * stands for several round trips.
 */
const presets = {
  "fast 4G": { down: 9_000_000, up: 1_500_000, roundTripMs: 60, roundTrips: 2.75 },
  "slow 4G": { down: 1_600_000, up: 750_000, roundTripMs: 150, roundTrips: 3.75 },
};

export interface Visit extends AsyncDisposable {
  page: Page;
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};
export const laptop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A new Chromium window loads internal pages, such as the address bar's suggestions. */
const windowStartMs = 1000;

/** Opens a first visit: nothing is cached or stored, and the window has finished starting. */
export async function openVisit(
  browser: Browser,
  connection: Connection,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.waitForTimeout(windowStartMs);
  if (connection !== "local") {
    const { down, up, roundTripMs, roundTrips } = presets[connection];
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", {
      offline: false,
      downloadThroughput: (down * 0.9) / 8,
      uploadThroughput: (up * 0.9) / 8,
      latency: roundTripMs * roundTrips,
    });
  }
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Returns the percentile by nearest rank, without interpolation. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

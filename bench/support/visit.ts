import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export type Line = "local" | "fast 4G";

/**
 * "Fast 4G" of Chrome's developer tools: 9 Mbit/s down and 1.5 up, of which 90% arrive, and 60 ms of
 * latency, which counts 2.75 times because one delay per request stands for several round trips.
 */
const fast4G = {
  offline: false,
  downloadThroughput: (9_000_000 * 0.9) / 8,
  uploadThroughput: (1_500_000 * 0.9) / 8,
  latency: 60 * 2.75,
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

/** A visitor who was never here: nothing cached, nothing remembered. */
export async function openVisit(
  browser: Browser,
  line: Line,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  if (line === "fast 4G") {
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", fast4G);
  }
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** By nearest rank; no value in between is made up. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

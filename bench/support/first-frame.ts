import type { Browser, BrowserContextOptions } from "playwright-core";
import type { BarePage } from "./bare-page.ts";
import { median, openVisit, type Connection } from "./visit.ts";

export interface FirstFrame {
  /** Medians, from the start of the navigation to the first presented frame. */
  siteMs: number;
  bareMs: number;
  /**
   * Median of the ratio to the bare page with the same file, because the feed's first clip varies.
   */
  ratio: number;
  /** Scripts of the visit as transferred. */
  scriptBytes: number;
}

interface VisitResult {
  frameMs: number;
  mediaUrl: string;
  scriptBytes: number;
}

/**
 * Time for the first frame and the first scripts. The page isn't queried earlier, because polling a
 * condition takes 18 ms of the main thread.
 */
const settleMs: Record<Connection, number> = { local: 2000, "fast 4G": 3500, "slow 4G": 6500 };

async function visitOnce(
  browser: Browser,
  connection: Connection,
  options: BrowserContextOptions,
  url: string,
): Promise<VisitResult> {
  await using visit = await openVisit(browser, connection, options);
  const { page } = visit;
  await page.addInitScript(() => {
    const watch = ({ target }: Event) => {
      if (!(target instanceof HTMLVideoElement) || Reflect.has(window, "firstFrame")) return;
      Reflect.set(window, "firstFrame", null);
      target.requestVideoFrameCallback((frameMs) => {
        Reflect.set(window, "firstFrame", { frameMs, mediaUrl: target.currentSrc });
      });
    };
    document.addEventListener("loadstart", watch, true);
    document.addEventListener("loadedmetadata", watch, true);
  });
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForTimeout(settleMs[connection]);
  return await page.evaluate((): VisitResult => {
    const scripts = performance
      .getEntriesByType("resource")
      .filter(({ name }) => new URL(name).pathname.endsWith(".js")) as PerformanceResourceTiming[];
    const first = Reflect.get(window, "firstFrame") as
      | { frameMs: number; mediaUrl: string }
      | null
      | undefined;
    if (first == null) throw new Error("no frame was shown in time");
    return { ...first, scriptBytes: scripts.reduce((sum, one) => sum + one.encodedBodySize, 0) };
  });
}

/** Visits the site's page and the bare page alternately, each time as a first visit. */
export async function measureFirstFrame(options: {
  browser: Browser;
  connection: Connection;
  screen: BrowserContextOptions;
  url: string;
  bare: BarePage;
  rounds: number;
}): Promise<FirstFrame> {
  const { browser, connection, screen, url, bare, rounds } = options;
  const site: VisitResult[] = [];
  const bareVisits: VisitResult[] = [];
  // The first round warms up the server and the disk, as on a site in use.
  for (let round = 0; round <= rounds; round += 1) {
    const visit = await visitOnce(browser, connection, screen, url);
    const bareVisit = await visitOnce(
      browser,
      connection,
      screen,
      await bare.urlOf(visit.mediaUrl),
    );
    if (round === 0) continue;
    site.push(visit);
    bareVisits.push(bareVisit);
  }
  return {
    siteMs: median(site.map(({ frameMs }) => frameMs)),
    ratio: median(site.map(({ frameMs }, at) => frameMs / (bareVisits[at]?.frameMs ?? Number.NaN))),
    bareMs: median(bareVisits.map(({ frameMs }) => frameMs)),
    scriptBytes: median(site.map(({ scriptBytes }) => scriptBytes)),
  };
}

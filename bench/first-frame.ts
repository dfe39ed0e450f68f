import { UsageError, type Given } from "#server/lib/command-line.mjs";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { launchChromium } from "#test/harness/chromium.ts";
import { startBarePage } from "./support/bare-page.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { startDemoSite } from "./support/demo-site.ts";
import { laptop, median, openVisit, phone, type Connection } from "./support/visit.ts";

interface Setting {
  /** Pairs of visits. More on a local connection, where frame times vary by a third. */
  rounds: number;
  /** First frame of the site divided by that of a bare page. */
  maxRatio: number;
  /**
   * Time for the first frame and the first scripts. The page isn't queried earlier, because polling
   * a condition takes 18 ms of the main thread.
   */
  settleMs: number;
}

const settings: Record<Connection, Setting> = {
  local: { rounds: 30, maxRatio: 1.6, settleMs: 2000 },
  "fast 4G": { rounds: 15, maxRatio: 1.25, settleMs: 3500 },
  "slow 4G": { rounds: 15, maxRatio: 1.2, settleMs: 6500 },
};
const connections = ["local", "fast 4G", "slow 4G"] as const;

export const args = ["CONNECTION..."];
export const options = { quick: { help: "three rounds" } };

/**
 * Measures first frames of first visits in a real browser: `npm run bench -- first-frame [--quick]
 * [CONNECTION]`. Visits to the site alternate with visits to a bare page with the same file.
 */
export async function run(given: Given): Promise<BenchTable> {
  const isQuick = given.flags.has("quick");
  const unknown = given.args.find((name) => !connections.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`CONNECTION: use ${connections.join(", ")}.`);
  const named = connections.filter((name) => given.args.includes(name));
  const { site, videos } = await startDemoSite({ hasAds: false });
  const bare = await startBarePage();
  const browser = await launchChromium();
  const rows: (string | number)[][] = [];
  try {
    const long = videos.find(({ hlsUrl, duration }) => hlsUrl !== null && duration > 60);
    const pages = [
      { name: "feed", url: `${site.url}/`, screen: phone },
      { name: "video page", url: `${site.url}/video/${long?.slug ?? ""}`, screen: laptop },
    ];
    for (const { name, url, screen } of pages) {
      for (const connection of named.length > 0 ? named : connections) {
        const { rounds, maxRatio } = settings[connection];
        const visits: { siteMs: number; bareMs: number }[] = [];
        // The first round warms up the server and the disk, as on a site in use.
        for (let round = 0; round <= (isQuick ? 3 : rounds); round += 1) {
          const visit = await visitOnce(browser, connection, screen, url);
          const bareUrl = await bare.urlOf(visit.mediaUrl);
          const bareVisit = await visitOnce(browser, connection, screen, bareUrl);
          if (round > 0) visits.push({ siteMs: visit.frameMs, bareMs: bareVisit.frameMs });
        }
        const ratio = median(visits.map(({ siteMs, bareMs }) => siteMs / bareMs));
        rows.push([
          ...[name, connection],
          ...[
            Math.round(median(visits.map(({ siteMs }) => siteMs))),
            Math.round(median(visits.map(({ bareMs }) => bareMs))),
          ],
          ...[ratio, maxRatio, ratio <= maxRatio ? "yes" : "NO"],
        ]);
      }
    }
  } finally {
    await browser.close();
    await bare.stop();
    await site.stop();
  }
  return {
    title: "First frame of a first visit",
    columns: ["page", "connection", "site ms", "bare page ms", "ratio", "limit", "held"],
    rows,
    isPartial: isQuick || named.length > 0,
    notes: [
      `${settings.local.rounds} visits over the local connection and ${settings["fast 4G"].rounds} over the others, each in a fresh profile; medians. The ratio is the median of each visit by the bare page's with the same file.`,
      "Fast 4G: 9 Mbit/s down and 1.5 up, 165 ms of latency per request. Slow 4G, as in Lighthouse: 1.6 Mbit/s down and 0.75 up, 562.5 ms of latency per request. 90% of both bandwidths arrive.",
      "Headless Chromium without a graphics processor: every frame is rendered by the same cores.",
    ],
  };
}

interface VisitResult {
  frameMs: number;
  mediaUrl: string;
}

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
  await page.waitForTimeout(settings[connection].settleMs);
  const first = await page.evaluate(
    () => Reflect.get(window, "firstFrame") as VisitResult | null | undefined,
  );
  if (first == null) throw new Error("no frame was shown in time");
  return first;
}

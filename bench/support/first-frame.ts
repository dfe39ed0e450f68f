import type { Browser, BrowserContextOptions } from "playwright-core";
import type { BarePage } from "./bare-page.ts";
import { median, openVisit, type Line } from "./visit.ts";

export interface FirstFrame {
  /** Medians, from the beginning of the navigation to the first presented frame. */
  oursMs: number;
  bareMs: number;
  /** Scripts of the visit as they travelled, in bytes. */
  scriptBytes: number;
}

interface Look {
  frameMs: number;
  mediaUrl: string;
  scriptBytes: number;
}

/**
 * By then the first frame is there, and the scripts of a first load; what a playing film asks for
 * later is not meant. Nothing is asked of the page before: what a tool runs in it would be measured
 * too (a wait for a condition alone takes 18 ms of the main thread, in the midst of the load).
 */
const settleMs: Record<Line, number> = { local: 1500, "fast 4G": 3000 };

async function lookAt(
  browser: Browser,
  line: Line,
  options: BrowserContextOptions,
  url: string,
): Promise<Look> {
  await using visit = await openVisit(browser, line, options);
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
  await page.waitForTimeout(settleMs[line]);
  return await page.evaluate((): Look => {
    const scripts = performance
      .getEntriesByType("resource")
      .filter(({ name }) => new URL(name).pathname.endsWith(".js")) as PerformanceResourceTiming[];
    const first = Reflect.get(window, "firstFrame") as { frameMs: number; mediaUrl: string } | null;
    if (first === null) throw new Error("no frame was shown in time");
    return { ...first, scriptBytes: scripts.reduce((sum, one) => sum + one.encodedBodySize, 0) };
  });
}

/** Our page and the bare one in turn, each time as a visitor who was never here. */
export async function measureFirstFrame(options: {
  browser: Browser;
  line: Line;
  screen: BrowserContextOptions;
  url: string;
  bare: BarePage;
  rounds: number;
}): Promise<FirstFrame> {
  const { browser, line, screen, url, bare, rounds } = options;
  const ours: Look[] = [];
  const theirs: Look[] = [];
  // The first round warms what any visitor of a living site finds warm: the server and the disk.
  for (let round = 0; round <= rounds; round += 1) {
    const own = await lookAt(browser, line, screen, url);
    const other = await lookAt(browser, line, screen, await bare.urlOf(own.mediaUrl));
    if (round === 0) continue;
    ours.push(own);
    theirs.push(other);
  }
  return {
    oursMs: median(ours.map(({ frameMs }) => frameMs)),
    bareMs: median(theirs.map(({ frameMs }) => frameMs)),
    scriptBytes: median(ours.map(({ scriptBytes }) => scriptBytes)),
  };
}

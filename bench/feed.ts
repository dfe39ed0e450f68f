import type { BenchTable } from "./support/bench-table.ts";
import { startBarePage } from "./support/bare-page.ts";
import { startDemoSite } from "./support/demo-site.ts";
import { measureMoves } from "./support/feed-moves.ts";
import { measureFirstFrame } from "./support/first-frame.ts";
import { laptop, median, percentile, phone, type Line } from "./support/visit.ts";
import { launchChromium } from "../test/harness/chromium.ts";

const moveCount = 50;
const rounds = 15;
const lines: readonly Line[] = ["local", "fast 4G"];
const medianLimitMs: Record<Line, number> = { local: 50, "fast 4G": 100 };

/** `-- feed`: every swipe, and the first frame of a first visit, in a real browser. */
export async function run(args: string[] = []): Promise<BenchTable> {
  const isQuick = args.includes("quick");
  const { site, videos } = await startDemoSite({ hasAds: false });
  const bare = await startBarePage();
  const browser = await launchChromium();
  const rows: (string | number)[][] = [];
  const add = (what: string, line: Line, measured: number, limit: number, isMost = true) =>
    rows.push([
      what,
      line,
      Math.round(measured * 100) / 100,
      `${isMost ? "at most" : "at least"} ${limit}`,
      (isMost ? measured <= limit : measured >= limit) ? "yes" : "NO",
    ]);
  try {
    const long = videos.find(({ hlsUrl, duration }) => hlsUrl !== null && duration > 60);
    const pages = [
      { name: "feed", url: `${site.url}/`, screen: phone },
      {
        name: "video page",
        url: `${site.url}/video/${(long ?? videos[0])?.slug ?? ""}`,
        screen: laptop,
      },
    ];
    for (const line of lines) {
      const moves = await measureMoves({
        browser,
        url: `${site.url}/`,
        line,
        count: isQuick ? 10 : moveCount,
      });
      const times = moves.map(({ frameMs }) => frameMs);
      const ready = moves.filter(({ hadFrame }) => hadFrame).length;
      add("next frame decoded when it moves in, %", line, (100 * ready) / moves.length, 95, false);
      add("end of the delay to a new frame, median ms", line, median(times), medianLimitMs[line]);
      add("end of the delay to a new frame, 95th percentile ms", line, percentile(times, 95), 250);
    }
    for (const { name, url, screen } of pages) {
      for (const line of lines) {
        const { oursMs, bareMs, scriptBytes } = await measureFirstFrame({
          browser,
          line,
          screen,
          url,
          bare,
          rounds: isQuick ? 3 : rounds,
        });
        rows.push([`${name}: first visit to first frame, ms`, line, Math.round(oursMs), "-", "-"]);
        rows.push([`bare page, same file, ms`, line, Math.round(bareMs), "-", "-"]);
        add(`${name}: times the bare page`, line, oursMs / bareMs, 1.3);
        // Behind a video of more than a minute the ladder's library comes as well; that is no first load.
        if (line === "local" && name === "feed")
          add(`${name}: scripts of the visit, KB`, line, scriptBytes / 1024, 110);
      }
    }
  } finally {
    await browser.close();
    await bare.stop();
    await site.stop();
  }
  return {
    title: "The feed: every swipe, and the first frame",
    columns: ["what", "line", "measured", "limit", "held"],
    rows,
    notes: [
      `${moveCount} moves onto clips of the demonstration catalogue (without its ads) by key, each clip watched for 1 to 3 s, on a screen of 390x844.`,
      "Decoded: the element holds a frame (readyState 2, decoded frames above 0) at the first scroll event. New frame: the first requestVideoFrameCallback of the playing clip after the 300 ms.",
      `First visits: ${rounds} of ours and ${rounds} of a bare <video autoplay muted> page in turn, medians, each in a fresh profile; the bare page and its file come out of the memory of a plain node:http server.`,
      "Fast 4G: 9 Mbit/s down and 1.5 up, of which 90% arrive, 165 ms of latency per request, as Chrome's developer tools define it. Headless Chromium without a graphics processor: every frame is drawn by the same two cores.",
    ],
  };
}

import type { BenchTable } from "./support/bench-table.ts";
import { startBarePage } from "./support/bare-page.ts";
import { startDemoSite } from "./support/demo-site.ts";
import { measureMoves } from "./support/feed-moves.ts";
import { measureFirstFrame } from "./support/first-frame.ts";
import { laptop, median, percentile, phone, type Connection } from "./support/visit.ts";
import { launchChromium } from "#test/harness/chromium.ts";

const moveCount = 50;
/** Pairs of visits. More on a local connection, where frame times vary by a third. */
const rounds: Record<Connection, number> = { local: 30, "fast 4G": 15, "slow 4G": 15 };
const maxMoveMs = { local: 50, "fast 4G": 100 };
/** First frame of the site divided by that of a bare page. */
const maxRatio: Record<Connection, number> = { local: 1.6, "fast 4G": 1.25, "slow 4G": 1.2 };
const maxScriptKb = 118;
const moveConnections = ["local", "fast 4G"] as const;
const allConnections = [...moveConnections, "slow 4G"] as const;

/**
 * `-- feed [quick] [frames [CONNECTION] [PAGE]]`: every move, and first frames of first visits, in
 * a real browser.
 */
export async function run(args: string[] = []): Promise<BenchTable> {
  const isQuick = args.includes("quick");
  const hasMoves = !args.includes("frames");
  const named = allConnections.filter((name) => args.includes(name));
  const connections = named.length > 0 ? named : allConnections;
  const { site, videos } = await startDemoSite({ hasAds: false });
  const bare = await startBarePage();
  const browser = await launchChromium();
  const rows: (string | number)[][] = [];
  const add = (what: string, on: Connection, measured: number, limit: string, isHeld: boolean) =>
    rows.push([what, on, Math.round(measured * 100) / 100, limit, isHeld ? "yes" : "NO"]);
  const addMax = (what: string, on: Connection, measured: number, max: number) =>
    add(what, on, measured, `at most ${max}`, measured <= max);
  try {
    for (const on of hasMoves ? moveConnections : []) {
      const count = isQuick ? 10 : moveCount;
      const moves = await measureMoves({ browser, url: `${site.url}/`, connection: on, count });
      const times = moves.map(({ frameMs }) => frameMs);
      const ready = (100 * moves.filter(({ hadFrame }) => hadFrame).length) / moves.length;
      add("next frame decoded when it moves in, %", on, ready, "at least 95", ready >= 95);
      addMax("end of the delay to a new frame, median ms", on, median(times), maxMoveMs[on]);
      addMax("end of the delay to a new frame, 95th percentile ms", on, percentile(times, 95), 250);
    }
    const long = videos.find(({ hlsUrl, duration }) => hlsUrl !== null && duration > 60);
    const slug = (long ?? videos[0])?.slug ?? "";
    const allPages = [
      { name: "feed", url: `${site.url}/`, screen: phone },
      { name: "video page", url: `${site.url}/video/${slug}`, screen: laptop },
    ];
    const namedPages = allPages.filter(({ name }) => args.includes(name));
    for (const { name, url, screen } of namedPages.length > 0 ? namedPages : allPages) {
      for (const connection of connections) {
        const { siteMs, bareMs, ratio, scriptBytes } = await measureFirstFrame({
          browser,
          connection,
          screen,
          url,
          bare,
          rounds: isQuick ? 3 : rounds[connection],
        });
        rows.push([
          `${name}: first visit to first frame, ms`,
          connection,
          Math.round(siteMs),
          "-",
          "-",
        ]);
        rows.push([`bare page, same file, ms`, connection, Math.round(bareMs), "-", "-"]);
        addMax(`${name}: times the bare page`, connection, ratio, maxRatio[connection]);
        // A video page of more than a minute also loads the HLS library, after the first load.
        if (connection === "local" && name === "feed")
          addMax(`${name}: scripts of the visit, KB`, connection, scriptBytes / 1024, maxScriptKb);
      }
    }
  } finally {
    await browser.close();
    await bare.stop();
    await site.stop();
  }
  return {
    title: "The feed: every move, and the first frame",
    columns: ["what", "connection", "measured", "limit", "held"],
    rows,
    isPartial: isQuick || !hasMoves,
    notes: [
      `${moveCount} moves onto clips of the demonstration catalogue (without its ads) by key, each clip watched for 1 to 3 s, on a screen of 390x844.`,
      "Decoded: the element holds a frame (readyState 2, decoded frames above 0) at the first scroll event. New frame: the first requestVideoFrameCallback of the playing clip after the 300 ms.",
      `First visits: ${rounds.local} of the site over the local line and ${rounds["fast 4G"]} over each of the others, alternating with the same number of visits to a bare page with one muted video that plays by itself. Medians, each in a fresh profile; times the bare page is the median of each visit by the bare page's with the same file; a plain node:http server sends the bare page and its file from memory.`,
      "Fast 4G: 9 Mbit/s down and 1.5 up, 165 ms of latency per request. Slow 4G, as in Lighthouse: 1.6 Mbit/s down and 0.75 up, 562.5 ms of latency per request (a round trip of 150 ms). Of both 90% arrive, as Chrome's developer tools define it.",
      "Headless Chromium without a graphics processor: every frame is rendered by the same two cores.",
    ],
  };
}

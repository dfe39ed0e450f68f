import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { AdPlacement, AdType } from "#ads/contract/ads.ts";
import type { AdsService } from "#ads/server/admin/ads.service.ts";
import type { Storage } from "#server/storage/storage.ts";
import { encodeVideo } from "./clip.ts";
import { field, palette, tallSlow, wideSlow, type Frame } from "./filter-graphs.ts";

/** One ad of each type and placement, for invented brands. */
interface DemoAd {
  name: string;
  title: string;
  description: string;
  type: AdType;
  placement: AdPlacement;
  linkUrl: string;
  /** HTML for a frame, with inline styles and a small script. */
  content?: string;
  /** An image or a video that ffmpeg generates from these colours. */
  creative?: {
    kind: "image" | "video";
    frame: Frame;
    durationS: number;
    colours: readonly string[];
  };
  widthPx?: number;
  heightPx?: number;
}

const dusk = ["#1a1230", "#5b2a6e", "#d9636b", "#ffd39b"];
const lagoon = ["#06222b", "#0f5d66", "#4fb3a5", "#e8f6e4"];
const ember = ["#1c0d08", "#7a2e12", "#e98a35", "#fff0cf"];
const moss = ["#0d1a10", "#28502f", "#8fb35a", "#f3f4d4"];

/** A banner with a name, a slogan and a number that counts up, which shows that scripts run. */
const strip = (word: string, line: string, from: string, to: string): string =>
  `<style>body{margin:0}a{display:flex;align-items:center;justify-content:center;gap:16px;height:90px;` +
  `font:600 20px system-ui,sans-serif;color:#fff;text-decoration:none;` +
  `background:linear-gradient(90deg,${from},${to})}small{font-weight:400;opacity:.9}` +
  `b{font-variant-numeric:tabular-nums}</style>` +
  `<a href="/home" target="_blank" rel="noopener"><span>${word}</span><small>${line} <b id="n">0</b></small></a>` +
  `<script>var n=0,t=setInterval(function(){n+=7;document.getElementById("n").textContent=n;` +
  `if(n>=700)clearInterval(t)},30)</script>`;

/** A card with a name and a slogan on waves of two colors. */
const card = (word: string, line: string, from: string, to: string): string =>
  `<style>body{margin:0}a{display:flex;flex-direction:column;justify-content:flex-end;height:100vh;` +
  `min-height:200px;box-sizing:border-box;padding:20px;font:600 24px/1.2 system-ui,sans-serif;` +
  `color:#fff;text-decoration:none;background:radial-gradient(120% 80% at 90% 0,${to},transparent),` +
  `radial-gradient(90% 70% at 0 60%,${to}88,transparent),${from}}` +
  `small{font-size:15px;font-weight:400;margin-top:6px}</style>` +
  `<a href="/home" target="_blank" rel="noopener">${word}<small>${line}</small></a>`;

const demoAds: readonly DemoAd[] = [
  {
    name: "header",
    title: "Lanternworks",
    description: "Lamps that remember the evening.",
    type: "banner",
    placement: "header",
    linkUrl: "/categories",
    content: strip("Lanternworks", "Lamps lit so far:", "#4a1f5c", "#c2533f"),
    widthPx: 728,
    heightPx: 90,
  },
  {
    name: "sidebar",
    title: "Tidewater Atlas",
    description: "Maps of places that move.",
    type: "banner",
    placement: "sidebar",
    linkUrl: "/tags",
    content: card("Tidewater Atlas", "Maps of places that move.", "#06323c", "#3f9d92"),
    widthPx: 300,
    heightPx: 250,
  },
  {
    name: "footer",
    title: "Slow Post",
    description: "Letters that take a month, on purpose.",
    type: "banner",
    placement: "footer",
    linkUrl: "/trending",
    content: strip("Slow Post", "Letters under way:", "#1f4030", "#6f8f3c"),
    widthPx: 728,
    heightPx: 90,
  },
  {
    name: "popup",
    title: "The Paper Observatory",
    description: "A telescope made of paper. Closes with one click, like this one.",
    type: "popup",
    placement: "footer",
    linkUrl: "/actors",
    content: card("The Paper Observatory", "A telescope made of paper.", "#1a1230", "#b04e63"),
    widthPx: 320,
    heightPx: 240,
  },
  {
    name: "preroll",
    title: "Ember & Oak",
    description: "Chairs by the fire.",
    type: "video",
    placement: "preroll",
    linkUrl: "/home",
    creative: { kind: "video", frame: wideSlow, durationS: 10, colours: ember },
  },
  {
    name: "midroll",
    title: "Tidewater Atlas, the Film",
    description: "Ten seconds of sea.",
    type: "video",
    placement: "midroll",
    linkUrl: "/home",
    creative: { kind: "video", frame: wideSlow, durationS: 8, colours: lagoon },
  },
  {
    name: "postroll",
    title: "Mossgarden",
    description: "Gardens for windowsills.",
    type: "video",
    placement: "postroll",
    linkUrl: "/home",
    creative: { kind: "video", frame: wideSlow, durationS: 8, colours: moss },
  },
  {
    name: "feed-video",
    title: "Lanternworks by Night",
    description: "Sponsored light.",
    type: "video",
    placement: "feed",
    linkUrl: "/categories",
    creative: { kind: "video", frame: tallSlow, durationS: 8, colours: dusk },
  },
  {
    name: "feed-image",
    title: "Slow Post, Spring Issue",
    description: "Written in March, read in May.",
    type: "banner",
    placement: "feed",
    linkUrl: "/trending",
    creative: { kind: "image", frame: tallSlow, durationS: 1, colours: moss },
  },
];

export interface DemoAdsDeps {
  ads: { ads: Pick<AdsService, "create" | "list"> };
  storage: Storage;
  ffmpegPath: string;
  workDir: string;
  signal: AbortSignal;
}

const run = promisify(execFile);

/** Generates the creatives and adds the ads that are missing. */
export async function seedDemoAds(deps: DemoAdsDeps): Promise<void> {
  const { ads } = deps.ads;
  const { ads: known } = await ads.list({ limit: 1000 });
  const missing = demoAds.filter((ad) => known.every(({ title }) => title !== ad.title));
  const files = await Promise.all(missing.map((ad) => generateCreative(deps, ad)));
  for (const [at, ad] of missing.entries()) {
    const file = files[at] ?? null;
    await ads.create(
      {
        title: ad.title,
        description: ad.description,
        type: ad.type,
        placement: ad.placement,
        linkUrl: ad.linkUrl,
        // The demonstration's videos are shorter than the break rules require.
        ignoresBreakRules: true,
        ...(ad.content === undefined ? {} : { content: ad.content }),
        ...(ad.creative?.kind === "image" ? { imageUrl: file } : {}),
        ...(ad.creative?.kind === "video" ? { vastTagUrl: file } : {}),
        ...(ad.widthPx === undefined ? {} : { widthPx: ad.widthPx }),
        ...(ad.heightPx === undefined ? {} : { heightPx: ad.heightPx }),
      },
      null,
    );
  }
}

/** Generates the image or video of an ad, if it has one, and stores it publicly. @returns its path. */
async function generateCreative(deps: DemoAdsDeps, ad: DemoAd): Promise<string | null> {
  const { creative } = ad;
  if (creative === undefined) return null;
  const { frame, durationS, colours } = creative;
  const stops = colours.map((colour, at) => [at / (colours.length - 1), colour] as const);
  const waves = `0.5+0.28*sin(3*x+tau*t/${durationS})*cos(2.4*y-tau*t/${durationS})+0.22*sin(2*(x+y))`;
  const graph = `${field(frame, durationS, waves, 64, 4)},${palette(stops)}[v]`;
  const isVideo = creative.kind === "video";
  const extension = isVideo ? "mp4" : "webp";
  const path = `${deps.workDir}/creative-${ad.name}.${extension}`;
  const sound = [
    "-f",
    "lavfi",
    "-i",
    `sine=f=220:d=${durationS},volume=0.05,afade=t=out:st=${durationS - 1}:d=1`,
  ];
  await run(
    deps.ffmpegPath,
    [
      ...["-nostdin", "-v", "error", "-y"],
      ...(isVideo ? sound : []),
      ...["-filter_complex", `${graph};[v]scale=out_range=tv,setsar=1,format=yuv420p[image]`],
      ...["-map", "[image]"],
      ...(isVideo
        ? [
            ...["-map", "0:a", ...encodeVideo(frame)],
            ...["-c:a", "aac", "-b:a", "64k", "-t", String(durationS), "-movflags", "+faststart"],
          ]
        : ["-frames:v", "1", "-q:v", "82"]),
      `file:${path}`,
    ],
    { signal: deps.signal, maxBuffer: 1_000_000 },
  );
  const key = `public/demo/${ad.name}.${extension}`;
  await deps.storage.putFile(key, path, { consume: true });
  // A path, because the site may be reached at several addresses.
  return `/media/${key}`;
}

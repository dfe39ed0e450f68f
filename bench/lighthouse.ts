import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { BenchTable } from "./support/bench-table.ts";
import { startDemoSite } from "./support/demo-site.ts";
import { median } from "./support/visit.ts";

const exec = promisify(execFile);
const rounds = 5;
const limits = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

const report = z.object({
  lighthouseVersion: z.string(),
  categories: z.record(z.enum(categories), z.object({ score: z.number() })),
  audits: z.object({
    "largest-contentful-paint": z.object({ numericValue: z.number() }),
    "cumulative-layout-shift": z.object({ numericValue: z.number() }),
    "total-blocking-time": z.object({ numericValue: z.number() }),
  }),
});
type Report = z.infer<typeof report>;

/** Runs npm's `lighthouse` command, or the one at `LIGHTHOUSE_PATH`. */
async function look(url: string, preset: "desktop" | "mobile", folder: string): Promise<Report> {
  const output = join(folder, "report.json");
  await exec(process.env["LIGHTHOUSE_PATH"] ?? "lighthouse", [
    url,
    "--quiet",
    "--output=json",
    `--output-path=${output}`,
    `--only-categories=${categories.join(",")}`,
    ...(preset === "desktop" ? ["--preset=desktop"] : []),
    "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking",
  ]);
  return report.parse(JSON.parse(await readFile(output, "utf8")));
}

/**
 * `-- lighthouse`: measures four public pages of the demonstration catalogue with its ads, with
 * both presets.
 */
export async function run(): Promise<BenchTable> {
  const { site, videos } = await startDemoSite({ hasAds: true });
  const folder = await mkdtemp(join(tmpdir(), "kinora-bench-lighthouse-"));
  const rows: (string | number)[][] = [];
  let version = "";
  try {
    const pages = {
      home: "/home",
      feed: "/feed",
      "video page": `/video/${videos[0]?.slug ?? ""}`,
      search: "/search?q=night",
    };
    for (const [name, path] of Object.entries(pages)) {
      for (const preset of ["desktop", "mobile"] as const) {
        const reports: Report[] = [];
        for (let round = 0; round < rounds; round += 1) {
          reports.push(await look(site.url + path, preset, folder));
        }
        version = reports[0]?.lighthouseVersion ?? "";
        const score = (category: (typeof categories)[number]) =>
          Math.round(100 * median(reports.map((each) => each.categories[category].score)));
        const figure = (audit: keyof Report["audits"]) =>
          median(reports.map((each) => each.audits[audit].numericValue));
        const isHeld = categories.every((category) => score(category) >= limits[category]);
        rows.push([
          name,
          preset,
          ...categories.map(score),
          Math.round(figure("largest-contentful-paint")),
          Math.round(figure("total-blocking-time")),
          figure("cumulative-layout-shift"),
          isHeld ? "yes" : "NO",
        ]);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await site.stop();
  }
  return {
    title: "Lighthouse",
    columns: [
      "page",
      "setting",
      "performance",
      "accessibility",
      "best practices",
      "SEO",
      "largest paint ms",
      "blocking ms",
      "layout shift",
      "held",
    ],
    rows,
    notes: [
      `Lighthouse ${version}, medians of ${rounds} runs, the demonstration catalogue with its ads.`,
      "Limits: performance 95, accessibility, best practices and SEO 100.",
    ],
  };
}

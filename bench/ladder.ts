import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createLogger } from "#server/lib/logger.ts";
import { createMedia, type Media } from "#server/media/media.ts";
import { makeLadder } from "#server/media/pipeline/ladder.step.ts";
import type { PipelineContext } from "#server/media/pipeline/pipeline-context.ts";
import { scanSource } from "#server/media/pipeline/process-video.ts";
import { chooseQuality } from "#server/media/pipeline/quality.step.ts";
import { toFps } from "#server/media/facts/frame-rate.ts";
import { rungName } from "#server/media/plan/ladder.ts";
import { planRungs, type Rung } from "#server/media/plan/rungs.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { endedCpuMs } from "./support/cpu-time.ts";
import { makeMaterial, materials, materialS } from "./support/ladder-materials.ts";
import { plainLadder } from "./support/plain-ladder.ts";
import { runProgram } from "./support/run-program.ts";

const root = path.join(import.meta.dirname, ".work");

interface Rendition {
  bytes: number;
  ssim: number;
}

interface Compared {
  name: string;
  crf: number;
  rungs: Rung[];
  fixed: Rendition[];
  chosen: Rendition[];
  fixedCpuS: number;
  chosenCpuS: number;
  trialCpuS: number;
}

/**
 * Compares ladders with per-video quality to ladders with one quality for all (x264 veryfast, CRF
 * 23): bytes, similarity to the source and CPU time, for five kinds of video.
 */
export async function run(names: string[]): Promise<BenchTable> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, "ladder-"));
  try {
    const media = await createMedia({
      logger: createLogger("silent"),
      env: process.env,
      workRoot: folder,
    });
    const chosen = materials.filter(({ name }) => names.length === 0 || names.includes(name));
    const all: Compared[] = [];
    for (const material of chosen) {
      const clip = await makeMaterial(
        media.report.paths.ffmpeg,
        path.join(root, "materials"),
        material,
      );
      all.push({ name: material.name, ...(await compare(media, clip, folder)) });
    }
    return { ...toTable(all), isPartial: chosen.length < materials.length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(
  media: Media,
  clip: string,
  folder: string,
): Promise<Omit<Compared, "name">> {
  const { ffmpeg } = media.report.paths;
  const facts = await media.probe(clip);
  const workDir = await mkdtemp(path.join(folder, "chosen-"));
  let chosenCpuS = 0;
  const pipeline: PipelineContext = {
    ...media.pipeline,
    // bwrap does not wait for the first process of its namespace, so no parent counts what ran in it.
    tools: {
      ...media.pipeline.tools,
      async ffmpeg(request) {
        const result = await media.pipeline.tools.ffmpeg(request);
        chosenCpuS += result.usage.cpuS;
        return result;
      },
    },
  };
  const source = await scanSource(pipeline, { sourcePath: clip, facts, workDir });
  const rungs = planRungs(facts.video.width, facts.video.height, toFps(source.fps));
  const crf = await chooseQuality(pipeline, source);
  const trialCpuS = chosenCpuS;
  await makeLadder(pipeline, source, { crf, gainDb: 0, normalizesLoudness: true });

  const fixedDir = await mkdtemp(path.join(folder, "fixed-"));
  const before = endedCpuMs();
  await runProgram(ffmpeg, plainLadder(clip, rungs), fixedDir);
  const fixedCpuS = (endedCpuMs() - before) / 1000;
  return {
    crf,
    rungs,
    fixedCpuS,
    chosenCpuS,
    trialCpuS,
    fixed: await measure(ffmpeg, clip, fixedDir, rungs),
    chosen: await measure(ffmpeg, clip, path.join(workDir, "hls"), rungs),
  };
}

/** Compares the renditions of a folder with the source at their sizes, all three planes. */
async function measure(
  ffmpeg: string,
  clip: string,
  folder: string,
  rungs: readonly Rung[],
): Promise<Rendition[]> {
  const files = rungs.map((rung) => path.join(folder, `${rungName(rung)}.mp4`));
  const inEvenSteps = "setpts=N/25/TB";
  const graph = [
    `[0:v]${inEvenSteps},split=${rungs.length}${rungs.map((_, i) => `[s${i}]`).join("")}`,
    ...rungs.flatMap(({ width, height }, i) => [
      `[s${i}]scale=${width}:${height},setsar=1,format=yuv420p[r${i}]`,
      `[${i + 1}:v]${inEvenSteps},setsar=1[v${i}]`,
      `[v${i}][r${i}]ssim@${i}[o${i}]`,
    ]),
  ];
  const text = await runProgram(ffmpeg, [
    ...["-v", "info", "-nostats", "-nostdin", "-i", clip, ...files.flatMap((file) => ["-i", file])],
    ...["-filter_complex", graph.join(";")],
    ...rungs.flatMap((_, i) => ["-map", `[o${i}]`]),
    ...["-f", "null", "-"],
  ]);
  return Promise.all(
    files.map(async (file, i) => {
      const ssim = new RegExp(`ssim@${i} @ [^\\]]+\\] SSIM .*All:([\\d.]+)`).exec(text)?.[1];
      if (ssim === undefined) throw new Error(`no similarity of ${file}`);
      return { bytes: (await stat(file)).size, ssim: Number(ssim) };
    }),
  );
}

function toTable(all: readonly Compared[]): BenchTable {
  const rows = all.flatMap(({ name, crf, rungs, fixed, chosen, fixedCpuS, chosenCpuS }) => [
    ...rungs.map(({ shortSide }, i) => row(`${name}, ${shortSide}`, crf, fixed[i], chosen[i])),
    [...row(`${name}, all`, crf, sum(fixed), sum(chosen)), fixedCpuS, chosenCpuS],
  ]);
  const [fixed, chosen] = [
    all.flatMap((each) => each.fixed),
    all.flatMap((each) => each.chosen),
  ].map((renditions) => sum(renditions ?? []));
  const add = (read: (each: Compared) => number) =>
    all.reduce((total, each) => total + read(each), 0);
  const cpu = [add((each) => each.fixedCpuS), add((each) => each.chosenCpuS)] as const;
  const trials = add((each) => each.trialCpuS);
  return {
    title: "Ladders whose quality is chosen by the picture",
    columns: [
      ...["renditions", "CRF", "fixed kB", "fixed SSIM", "chosen kB", "chosen SSIM"],
      ...["bytes, chosen / fixed", "fixed CPU-s", "chosen CPU-s"],
    ],
    rows: [...rows, [...row("everything", "", fixed, chosen), ...cpu]].map((cells) =>
      cells.length === 7 ? [...cells, "", ""] : cells,
    ),
    notes: [
      `Fixed: x264 veryfast, CRF 23 for every picture, plain ffmpeg. Chosen: the ladder of this program with its trial. The same sizes, caps and keyframes; ${materialS} s of 1080p25 each, drawn by ffmpeg.`,
      "SSIM: of all planes with the source at the size of the rendition, mean of the frames; in sums, mean of the renditions.",
      `Processor time, chosen / fixed: ${(cpu[1] / cpu[0]).toFixed(3)}; of it the trials ${trials.toFixed(1)} CPU-seconds. Ours is sampled five times a second: what a run does after its last sample, up to 0.2 s, is not counted.`,
    ],
  };
}

type Cells = (string | number)[];

function row(
  name: string,
  crf: string | number,
  fixed: Rendition | undefined,
  chosen: Rendition | undefined,
): Cells {
  if (fixed === undefined || chosen === undefined) throw new Error("a rendition is missing");
  const cells = ({ bytes, ssim }: Rendition) => [Math.round(bytes / 1000), ssim.toFixed(4)];
  return [name, crf, ...cells(fixed), ...cells(chosen), chosen.bytes / fixed.bytes];
}

const sum = (renditions: readonly Rendition[]): Rendition => ({
  bytes: renditions.reduce((total, { bytes }) => total + bytes, 0),
  ssim: renditions.reduce((total, { ssim }) => total + ssim, 0) / renditions.length,
});

import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { UsageError, type Given } from "#server/lib/command-line.mjs";
import { createLogger } from "#server/lib/logger.ts";
import { createMedia, type Media } from "#server/media/media.ts";
import { makeLadder } from "#server/media/pipeline/ladder.step.ts";
import type { PipelineContext } from "#server/media/pipeline/pipeline-context.ts";
import { scanSource } from "#server/media/pipeline/process-video.ts";
import { chooseQuality } from "#server/media/pipeline/quality.step.ts";
import { toFps } from "#server/media/facts/media-facts.ts";
import { rungName } from "#server/media/plan/ladder.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import { planRungs, type Rung } from "#server/media/plan/rungs.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { endedCpuMs } from "./support/cpu-time.ts";
import {
  makeMaterial,
  materials,
  materialS,
  runProgram,
  shownSize,
} from "./support/ladder-materials.ts";

const root = path.join(import.meta.dirname, ".work");

/**
 * Usual CRF of plain ladders, with one below and one above it to interpolate the size at equal
 * quality.
 */
const plainCrfs = [20, 23, 28] as const;
const usualAt = plainCrfs.indexOf(usualCrf);

interface Rendition {
  bytes: number;
  ssim: number;
}

interface Compared {
  name: string;
  crf: number;
  rungs: Rung[];
  /** Renditions of the plain ladders, for each of `plainCrfs`. */
  plain: Rendition[][];
  chosen: Rendition[];
  fixedCpuS: number;
  chosenCpuS: number;
  trialCpuS: number;
}

export const args = ["MATERIAL..."];

/**
 * Compares ladders with per-video quality to plain ladders (x264 veryfast), with CRF 23 and with
 * equal quality: bytes, similarity to the source and CPU time, for five kinds of video.
 */
export async function run({ args: names }: Given): Promise<BenchTable> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, "ladder-"));
  try {
    const media = await createMedia({
      logger: createLogger("silent"),
      env: process.env,
      workRoot: folder,
    });
    if (!names.every((name) => materials.some((known) => known.name === name))) {
      throw new UsageError(`MATERIAL: use ${materials.map(({ name }) => name).join(", ")}.`);
    }
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
    // bwrap doesn't wait for the first process in its namespace, so that process's time isn't
    // counted for any parent.
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

  const plain: Rendition[][] = [];
  let fixedCpuS = 0;
  for (const plainCrf of plainCrfs) {
    const plainDir = await mkdtemp(path.join(folder, "plain-"));
    const before = endedCpuMs();
    await runProgram(ffmpeg, plainLadder(clip, rungs, plainCrf), plainDir);
    if (plainCrf === usualCrf) fixedCpuS = (endedCpuMs() - before) / 1000;
    plain.push(await measure(ffmpeg, clip, plainDir, rungs));
  }
  const chosen = await measure(ffmpeg, clip, path.join(workDir, "hls"), rungs);
  return { crf, rungs, fixedCpuS, chosenCpuS, trialCpuS, plain, chosen };
}

/**
 * Compares the renditions in a folder with the source. They are enlarged to its size, and all three
 * planes count.
 */
async function measure(
  ffmpeg: string,
  clip: string,
  folder: string,
  rungs: readonly Rung[],
): Promise<Rendition[]> {
  const files = rungs.map((rung) => path.join(folder, `${rungName(rung)}.mp4`));
  const inEvenSteps = "setpts=N/25/TB";
  const graph = [
    `[0:v]${inEvenSteps},split=${rungs.length}${rungs.map((_, i) => `[r${i}]`).join("")}`,
    ...rungs.flatMap((_, i) => [
      `[${i + 1}:v]${inEvenSteps},scale=${shownSize},setsar=1[v${i}]`,
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
  const rows = all.flatMap(({ name, crf, rungs, plain, chosen, fixedCpuS, chosenCpuS }) => [
    ...rungs.map(({ shortSide }, i) => [
      ...row(
        `${name}, ${shortSide}`,
        crf,
        plain.map((renditions) => renditions[i] ?? missing()),
        chosen[i] ?? missing(),
      ),
      ...["", ""],
    ]),
    [...row(`${name}, all`, crf, plain.map(sum), sum(chosen)), fixedCpuS, chosenCpuS],
  ]);
  const add = (read: (each: Compared) => number) =>
    all.reduce((total, each) => total + read(each), 0);
  const cpu = [add((each) => each.fixedCpuS), add((each) => each.chosenCpuS)] as const;
  const trials = add((each) => each.trialCpuS);
  return {
    title: "Ladders whose quality is chosen by the picture",
    columns: [
      ...["renditions", "CRF", "CRF 23 kB", "CRF 23 SSIM", "chosen kB", "chosen SSIM"],
      ...[
        "bytes, chosen / CRF 23",
        "bytes, chosen / equal quality",
        "CRF 23 CPU-s",
        "chosen CPU-s",
      ],
    ],
    rows,
    notes: [
      `A plain ladder is x264 veryfast at one CRF with default options. The chosen ladder is what Kinora encodes after its trial. Both have the same sizes, bit rate caps and keyframe intervals; ${materialS} s of 1080p25 each, drawn by ffmpeg.`,
      `Equal quality: bytes of the plain ladder with the SSIM of the chosen one, interpolated between CRF ${plainCrfs.join(", ")}. For "all": one CRF with the same mean SSIM of the renditions. Beyond these CRFs extrapolated.`,
      "SSIM: of all planes with the source at its size, to which players enlarge; mean of the frames.",
      `Processor time, chosen / CRF 23: ${(cpu[1] / cpu[0]).toFixed(3)}; of it the trials ${trials.toFixed(1)} CPU-seconds. Ours is sampled five times a second: what a run does after its last sample, up to 0.2 s, is not counted.`,
    ],
  };
}

function missing(): never {
  throw new Error("a rendition is missing");
}

type Cells = (string | number)[];

function row(name: string, crf: number, plain: readonly Rendition[], chosen: Rendition): Cells {
  const usual = plain[usualAt] ?? missing();
  const cells = ({ bytes, ssim }: Rendition) => [Math.round(bytes / 1000), ssim.toFixed(4)];
  return [
    ...[name, crf, ...cells(usual), ...cells(chosen)],
    ...[chosen.bytes / usual.bytes, chosen.bytes / bytesAt(chosen.ssim, plain)],
  ];
}

/** Interpolates the size of a plain encode with this SSIM. Size and difference are both logarithmic. */
function bytesAt(ssim: number, plain: readonly Rendition[]): number {
  const points = plain.map((each) => [Math.log(1 - each.ssim), Math.log(each.bytes)] as const);
  const wanted = Math.log(1 - ssim);
  const next = points.findIndex(([difference]) => difference >= wanted);
  const at = next === -1 ? points.length - 1 : Math.max(1, next);
  const [[x0, y0], [x1, y1]] = [points[at - 1] ?? missing(), points[at] ?? missing()];
  return Math.exp(y0 + ((wanted - x0) / (x1 - x0)) * (y1 - y0));
}

const sum = (renditions: readonly Rendition[]): Rendition => ({
  bytes: renditions.reduce((total, { bytes }) => total + bytes, 0),
  ssim: renditions.reduce((total, { ssim }) => total + ssim, 0) / renditions.length,
});

/**
 * Returns the shortest ffmpeg command for the renditions of a ladder with one quality. It must run
 * in their folder.
 */
function plainLadder(clip: string, rungs: Rung[], crf: number): string[] {
  const outs = rungs.map((_, i) => `[s${i}]`).join("");
  const scales = rungs.map((rung, i) => `[s${i}]scale=${rung.width}:${rung.height}[v${i}]`);
  const streams = rungs.map((rung, i) => `v:${i},agroup:a,name:v${rung.shortSide}`);
  return [
    ...["-v", "error", "-nostdin", "-y", "-i", clip],
    ...["-filter_complex", `[0:v]split=${rungs.length}${outs};${scales.join(";")}`],
    ...rungs.flatMap((_, i) => ["-map", `[v${i}]`]),
    ...["-map", "0:a", "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000"],
    ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-crf", String(crf)],
    ...rungs.flatMap((rung, i) => [
      ...[`-maxrate:v:${i}`, `${rung.maxrateKbps}k`],
      ...[`-bufsize:v:${i}`, `${rung.maxrateKbps * 2}k`],
    ]),
    ...["-g", "50", "-sc_threshold", "0", "-force_key_frames", "expr:gte(t,n_forced*2)"],
    ...["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"],
    ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file+independent_segments"],
    ...["-var_stream_map", [...streams, "a:0,agroup:a,name:audio"].join(" ")],
    ...["-hls_segment_filename", "%v.mp4", "%v.m3u8"],
  ];
}

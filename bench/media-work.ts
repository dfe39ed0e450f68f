import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { createLogger } from "#server/lib/logger.ts";
import { createMedia } from "#server/media/media.ts";
import { makeLadder } from "#server/media/pipeline/ladder.step.ts";
import { makePlayable } from "#server/media/pipeline/playable.step.ts";
import { scanSource } from "#server/media/pipeline/process-video.ts";
import { toFps } from "#server/media/facts/frame-rate.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import { planRungs } from "#server/media/plan/rungs.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { endedCpuMs } from "./support/cpu-time.ts";
import { plainLadder } from "./support/plain-ladder.ts";
import { runProgram } from "./support/run-program.ts";

const root = path.join(import.meta.dirname, ".work");
const clipS = 30;

/**
 * Compares media processing with plain ffmpeg commands that make the same files from the same 1080p
 * clip: processor seconds of the ladder, and seconds until a file is playable.
 */
export async function run(): Promise<BenchTable> {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(path.join(root, "media-"));
  try {
    const media = await createMedia({
      logger: createLogger("silent"),
      env: process.env,
      workRoot: folder,
    });
    const clip = path.join(folder, "clip.mp4");
    await makeClip(media.report.paths.ffmpeg, clip);

    const facts = await media.probe(clip);
    const { pipeline } = media;
    const source = await scanSource(pipeline, { sourcePath: clip, facts, workDir: folder });
    const rungs = planRungs(facts.video.width, facts.video.height, toFps(source.fps));

    let oursS = 0;
    // bwrap doesn't wait for the first process in its namespace, so that process's time isn't
    // counted for any parent.
    const tools: typeof pipeline.tools = {
      ...pipeline.tools,
      async ffmpeg(request) {
        const result = await pipeline.tools.ffmpeg(request);
        oursS += result.usage.cpuS;
        return result;
      },
    };
    const measureOurs = async (work: (counted: typeof pipeline) => Promise<unknown>) => {
      oursS = 0;
      await work({ ...pipeline, tools });
      return oursS;
    };
    const gains = { crf: usualCrf, gainDb: 0, normalizesLoudness: true };
    const ours = await measureOurs((counted) => makeLadder(counted, source, gains));
    const plain = path.join(folder, "plain");
    await mkdir(plain);
    const reference = await measureCpuS(() =>
      runProgram(media.report.paths.ffmpeg, plainLadder(clip, rungs, usualCrf), plain),
    );

    const playable = await measureWallS(async () => {
      await media.probe(clip);
      await makePlayable(pipeline, source, async () => 0);
    });
    const copy = await measureWallS(() =>
      runProgram(media.report.paths.ffmpeg, plainCopy(clip, path.join(plain, "copy.mp4")), plain),
    );
    return {
      title: "Media work beside plain ffmpeg",
      columns: ["work", "ours", "reference", "ratio"],
      rows: [
        [
          `${rungs.length} rungs of ${clipS} s 1080p, CPU-seconds`,
          ours,
          reference,
          ours / reference,
        ],
        [`probe and publish ${clipS} s 1080p, seconds`, playable, copy, playable / copy],
      ],
      notes: [
        "CPU-seconds are user and system time of the ffmpeg processes. Ours is sampled five times a second: what a run does after its last sample, up to 0.2 s, is not counted.",
        "The reference of the first and the last row is plain ffmpeg. It makes the same renditions in one pass; its copy is neither probed nor checked.",
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function plainCopy(clip: string, target: string): string[] {
  return [
    "-v",
    "error",
    "-nostdin",
    "-y",
    "-i",
    clip,
    "-c",
    "copy",
    "-movflags",
    "+faststart",
    target,
  ];
}

/** Makes a clip with moving detail and noise, which cost encoders as much as a camera recording. */
async function makeClip(ffmpeg: string, target: string): Promise<void> {
  const picture = `testsrc2=s=1920x1080:r=25:d=${clipS},noise=alls=8:allf=t`;
  await runProgram(
    ffmpeg,
    [
      ...["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", picture],
      ...["-f", "lavfi", "-i", `sine=f=440:d=${clipS}`],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "26", "-g", "50"],
      ...["-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest", target],
    ],
    path.dirname(target),
  );
}

/** Returns the processor time of all programs that ended while `work` ran. */
async function measureCpuS(work: () => Promise<unknown>): Promise<number> {
  const before = endedCpuMs();
  await work();
  return (endedCpuMs() - before) / 1000;
}

async function measureWallS(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

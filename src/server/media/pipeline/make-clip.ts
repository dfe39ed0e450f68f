import { readdirSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import type { ClipFraming } from "#contract/videos/clips.ts";
import { ownInput } from "../facts/input-guards.ts";
import { planLimits, smallJobLimits } from "../facts/process-limits.ts";
import {
  burnFilter,
  clipArgs,
  clipOutputSize,
  planClipBytes,
  planClipLeadS,
  writeBurntCaptions,
  type Passage,
} from "../plan/clip.ts";
import { playsEncoded } from "../plan/playable.ts";
import { UnverifiedOutputError } from "../run/media-process-error.ts";
import { findOutputFacts } from "./check-output.ts";
import { describeFile, type PipelineContext, type SourceJob } from "./pipeline-context.ts";
import { scanSource } from "./process-video.ts";
import { steadySound } from "./steady-sound.ts";
import { expectFreeSpace, verifyOutput } from "./verify-output.ts";

const require = createRequire(import.meta.url);
/** Folder with the font that pages use. It contains nothing else that a run may read. */
const fontsFolder = path.join(
  path.dirname(require.resolve("@fontsource-variable/inter/package.json")),
  "files",
);
const fontFiles = readdirSync(fontsFolder).filter((name) => name.endsWith("-wght-normal.woff2"));

export interface ClipJob extends SourceJob {
  passage: Passage;
  framing: ClipFraming;
  /** Caption lines of the whole video to write into the picture; null for none. */
  captions: readonly CaptionLine[] | null;
  /** Time in the clip of the frame to return as a picture; null for none. */
  thumbnailAtS?: number | null;
  onProgress?: (share: number) => void;
}

export interface MadeClip {
  path: string;
  durationS: number;
  width: number;
  height: number;
  /** True if all browsers play the file, so that no copy has to be made of it. */
  isPlayable: boolean;
  /** JPEG of the chosen frame. */
  thumbnailPath: string | null;
  notices: string[];
}

/**
 * Copies the site's font to a folder that a run can read. For scripts it lacks, libass uses the
 * fonts of the system. @returns the folder.
 */
async function copyFonts(workDir: string): Promise<string> {
  const target = path.join(workDir, "fonts");
  await mkdir(target, { recursive: true });
  for (const name of fontFiles)
    await copyFile(path.join(fontsFolder, name), path.join(target, name));
  return target;
}

/** Matches libass's message about a character that no font has. */
const missingGlyph = /failed to find any fallback with glyph/;

/**
 * Makes the file of a clip from a passage of a video: one encode, exact to the frame, in standard
 * dynamic range and at a high quality, because the renditions are made from it.
 * @throws UnverifiedOutputError if the result is incomplete; MediaProcessError.
 */
export async function makeClip(pipeline: PipelineContext, job: ClipJob): Promise<MadeClip> {
  const { passage, framing, workDir, signal, onProgress } = job;
  await mkdir(workDir, { recursive: true });
  const source = await scanSource(pipeline, await steadySound(pipeline, job));
  const { facts, fps, scan, sourcePath } = source;
  await expectFreeSpace(workDir);
  const size = clipOutputSize(framing, facts.video);
  const lengthS = passage.endS - passage.startS;
  const leadS = planClipLeadS(scan);
  const captions =
    job.captions === null
      ? null
      : { path: path.join(workDir, "captions.ass"), fontsFolder: await copyFonts(workDir) };
  if (captions !== null) {
    await writeFile(captions.path, writeBurntCaptions(job.captions ?? [], passage, size));
  }
  const target = path.join(workDir, "clip.mp4");
  const { threads, report: abilities } = pipeline;
  const { stderr } = await pipeline.tools.ffmpeg({
    name: "clip",
    args: [
      ...(captions === null ? [] : ["-v", "warning"]),
      ...clipArgs(
        facts,
        sourcePath,
        { passage, leadS, framing, fps, threads, abilities, captions },
        target,
      ),
    ],
    cwd: pipeline.emptyDir,
    inputs: [sourcePath],
    outputDir: workDir,
    limits: {
      ...planLimits(facts, { decodedS: lengthS + leadS + 20, encodedRungs: 2, threads }),
      outputBytes: planClipBytes(size, fps, lengthS),
    },
    // An editor waits for it.
    isUrgent: true,
    signal,
    onOutTime: (outTimeS) => onProgress?.(Math.min(1, outTimeS / lengthS)),
  });
  const made = await findOutputFacts(pipeline, target, signal);
  if (made === null || Math.abs(made.videoEndS - lengthS) > 0.2) {
    throw new UnverifiedOutputError("clip.mp4", "its duration differs", false);
  }
  const file = await describeFile("progressive", "clip.mp4", target, {
    ...size,
    durationS: made.durationS,
  });
  // The encoder reported success, so only a full disk can have truncated the file. That shows in its
  // structure, without decoding it.
  await verifyOutput(pipeline, source, [file], { isCopy: true });
  const { thumbnailAtS = null } = job;
  return {
    path: target,
    durationS: made.durationS,
    ...size,
    isPlayable: playsEncoded(size, fps),
    thumbnailPath:
      thumbnailAtS === null
        ? null
        : await takeFrame(pipeline, job, target, Math.min(thumbnailAtS, lengthS - 0.1)),
    notices:
      captions !== null && missingGlyph.test(stderr)
        ? [
            "Some characters of the captions have no font on this server. Install fonts for their script, and make the clip again.",
          ]
        : [],
  };
}

/** Saves a frame of a finished clip as a JPEG. @returns its path. */
async function takeFrame(
  pipeline: PipelineContext,
  { workDir, signal }: ClipJob,
  clip: string,
  atS: number,
): Promise<string> {
  const target = path.join(workDir, "thumbnail.jpg");
  await pipeline.tools.ffmpeg({
    name: "clip thumbnail",
    args: [
      ...["-ss", Math.max(0, atS).toFixed(3), ...ownInput(clip), "-frames:v", "1", "-q:v", "2"],
      ...["-pix_fmt", "yuvj420p", "-f", "image2", "-update", "1", `file:${target}`],
    ],
    cwd: pipeline.emptyDir,
    inputs: [clip],
    outputDir: workDir,
    limits: smallJobLimits,
    isUrgent: true,
    signal,
  });
  return target;
}

/**
 * Finds out by a trial whether captions can become part of pictures.
 * @param workRoot folder that other processes use at the same time.
 * @returns why they can't; null if they can.
 */
export async function findCaptionsObstacle(
  pipeline: PipelineContext,
  workRoot: string,
): Promise<string | null> {
  if (!pipeline.report.hasSubtitles) {
    return "The ffmpeg on this server was built without libass, so captions can't become part of the picture.";
  }
  const workDir = await mkdtemp(path.join(workRoot, "captions-trial-"));
  try {
    const size = { width: 160, height: 90 };
    const captions = {
      path: path.join(workDir, "trial.ass"),
      fontsFolder: await copyFonts(workDir),
    };
    const line = { startMs: 0, endMs: 1000, text: "MMMM", place: "" };
    await writeFile(captions.path, writeBurntCaptions([line], { startS: 0, endS: 1 }, size));
    const { stdout } = await pipeline.tools.ffmpeg({
      name: "captions trial",
      args: [
        ...["-f", "lavfi", "-i", "color=black:s=160x90:r=1:d=1"],
        ...["-vf", `${burnFilter(captions)},format=gray`, "-frames:v", "1"],
        ...["-f", "rawvideo", "-"],
      ],
      cwd: pipeline.emptyDir,
      outputDir: workDir,
      limits: smallJobLimits,
      wantsStdout: true,
    });
    return stdout.some((value) => value > 200)
      ? null
      : "The ffmpeg on this server can't read the site's font, so captions can't become part of the picture.";
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

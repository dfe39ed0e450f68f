import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { remuxArgs } from "../plan/playable.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { audioName } from "../plan/sounds.ts";
import { planStoryboard, storyboardArgs, writeStoryboardVtt } from "../plan/storyboard.ts";
import { hlsFolder } from "./ladder.step.ts";
import type { OptionalOutput } from "./optional-output.ts";
import {
  describeFile,
  type SourceVideo,
  type PipelineContext,
  type MediaFile,
} from "./pipeline-context.ts";
import { readingOutput } from "./verify-output.ts";

/** Local file of a rendition. */
export interface Rendition {
  path: string;
  width: number;
  height: number;
  durationS: number;
}

export interface ExtrasOutput extends OptionalOutput {
  /**
   * Small progressive file (if a rung is small enough), storyboard sheets and their WebVTT. If the
   * source's picture is damaged, so is its early copy. The small file then replaces that copy and
   * appears a second time as "progressive". A copy whose audio is damaged or too quiet is replaced
   * by one with the ladder's audio.
   */
  files: MediaFile[];
  /** Replacement of the copy, if any. */
  replaced: { isSmall: boolean; gainDb: number } | null;
}

export const ladderSoundPath = ({ workDir }: SourceVideo): string =>
  path.join(workDir, hlsFolder, `${audioName}.mp4`);

/**
 * Makes the small progressive file from a rung of the ladder and its audio, without encoding again.
 * The ladder's files must be in the work directory.
 */
export async function makeSmallProgressive(
  pipeline: PipelineContext,
  source: SourceVideo,
  rendition: Rendition,
): Promise<MediaFile> {
  const side = Math.min(rendition.width, rendition.height);
  const target = path.join(source.workDir, "small.mp4");
  const audioPath = source.facts.audio === null ? null : ladderSoundPath(source);
  const inputs = [rendition.path, ...(audioPath === null ? [] : [audioPath])];
  await pipeline.tools.ffmpeg({
    name: "small",
    args: remuxArgs(rendition.path, audioPath, target),
    cwd: pipeline.emptyDir,
    inputs,
    outputDir: source.workDir,
    isLowPriority: true,
    limits: {
      ...smallJobLimits,
      outputBytes: smallJobLimits.outputBytes + (await sumSizes(inputs)) * 2,
    },
    signal: source.signal,
  });
  return describeFile("progressive_small", `small-${side}.mp4`, target, rendition);
}

/** Makes sheets of tiles and the WebVTT that maps times to them. */
export async function makeStoryboard(
  pipeline: PipelineContext,
  source: SourceVideo,
  rendition: Rendition,
): Promise<MediaFile[]> {
  const isWebp = pipeline.report.hasWebp;
  const extension = isWebp ? "webp" : "jpg";
  const plan = planStoryboard(rendition, rendition.durationS);
  await pipeline.tools.ffmpeg({
    name: "storyboard",
    args: storyboardArgs(
      plan,
      rendition.path,
      path.join(source.workDir, `storyboard-%d.${extension}`),
      isWebp,
    ),
    cwd: pipeline.emptyDir,
    inputs: [rendition.path],
    outputDir: source.workDir,
    isLowPriority: true,
    limits: smallJobLimits,
    signal: source.signal,
  });
  const sheetName = (sheet: number): string => `storyboard-${sheet}.${extension}`;
  const vttPath = path.join(source.workDir, "storyboard.vtt");
  await writeFile(vttPath, writeStoryboardVtt(plan, rendition.durationS, sheetName));
  const sheetSize = {
    width: plan.columns * plan.tileWidth,
    height: plan.rows * plan.tileHeight,
  };
  const sheets: MediaFile[] = [];
  for (let sheet = 1; sheet <= plan.sheetCount; sheet += 1) {
    const name = sheetName(sheet);
    const file = path.join(source.workDir, name);
    const describe = () => describeFile("storyboard_sheet", name, file, sheetSize);
    sheets.push(await readingOutput(name, describe));
  }
  return [...sheets, await describeFile("storyboard", "storyboard.vtt", vttPath)];
}

async function sumSizes(files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

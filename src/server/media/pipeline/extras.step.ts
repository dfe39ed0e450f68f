import { writeFile } from "node:fs/promises";
import path from "node:path";
import { audioName } from "../plan/ladder.ts";
import { remuxArgs } from "../plan/playable.ts";
import { smallJobLimits } from "../plan/process-limits.ts";
import { planStoryboard, storyboardArgs, writeStoryboardVtt } from "../plan/storyboard.ts";
import { hlsFolder } from "./ladder.step.ts";
import { describeFile, type MediaFile } from "./media-file.ts";
import type { Workpiece, Workshop } from "./work-directory.ts";

/** A rendition of our own making, on this disk. */
export interface Rendition {
  path: string;
  width: number;
  height: number;
  durationS: number;
}

export interface ExtrasOutput {
  /**
   * Small progressive file (where a rung is small enough), storyboard sheets, their WebVTT. Where
   * the source turned out to be faulty, and with it the copy that was published early, the small
   * file also takes the place of that copy: it is listed as "progressive" once more.
   */
  files: MediaFile[];
}

/**
 * The small progressive file out of a rung of the ladder and its sound, without encoding again.
 * The ladder's files must lie in the work folder.
 */
export async function makeSmallProgressive(
  workshop: Workshop,
  piece: Workpiece,
  rendition: Rendition,
): Promise<MediaFile> {
  const side = Math.min(rendition.width, rendition.height);
  const target = path.join(piece.workDir, "small.mp4");
  const audioPath =
    piece.facts.audio === null ? null : path.join(piece.workDir, hlsFolder, `${audioName}.mp4`);
  await workshop.tools.ffmpeg({
    name: "small",
    args: remuxArgs(rendition.path, audioPath, target),
    cwd: workshop.emptyDir,
    limits: smallJobLimits,
    signal: piece.signal,
  });
  return describeFile("progressive_small", `small-${side}.mp4`, target, rendition);
}

/** Sheets of tiles and the WebVTT that maps time to them. */
export async function makeStoryboard(
  workshop: Workshop,
  piece: Workpiece,
  rendition: Rendition,
): Promise<MediaFile[]> {
  const isWebp = workshop.report.hasWebp;
  const extension = isWebp ? "webp" : "jpg";
  const plan = planStoryboard(rendition, rendition.durationS);
  await workshop.tools.ffmpeg({
    name: "storyboard",
    args: storyboardArgs(
      plan,
      rendition.path,
      true,
      path.join(piece.workDir, `storyboard-%d.${extension}`),
      isWebp,
    ),
    cwd: workshop.emptyDir,
    limits: smallJobLimits,
    signal: piece.signal,
  });
  const sheetName = (sheet: number): string => `storyboard-${sheet}.${extension}`;
  const vttPath = path.join(piece.workDir, "storyboard.vtt");
  await writeFile(vttPath, writeStoryboardVtt(plan, rendition.durationS, sheetName));
  const sheetSize = {
    width: plan.columns * plan.tileWidth,
    height: plan.rows * plan.tileHeight,
  };
  const sheets: MediaFile[] = [];
  for (let sheet = 1; sheet <= plan.sheetCount; sheet += 1) {
    const name = sheetName(sheet);
    sheets.push(
      await describeFile("storyboard_sheet", name, path.join(piece.workDir, name), sheetSize),
    );
  }
  return [...sheets, await describeFile("storyboard", "storyboard.vtt", vttPath)];
}

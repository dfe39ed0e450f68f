import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { copyArgs, planPlayable, quickArgs } from "../plan/playable.ts";
import { planLimits } from "../plan/process-limits.ts";
import { planQuickRung } from "../plan/rungs.ts";
import { toFps } from "../plan/frame-rate.ts";
import { refuse } from "../probe/refusals.ts";
import { isOverLimits, MediaProcessError } from "../run/media-process-error.ts";
import { findOutputFacts, isSameDuration } from "./check-output.ts";
import { describeFile, type MediaFile } from "./media-file.ts";
import type { Workpiece, Workshop } from "./work-directory.ts";

export interface PlayableOutput {
  /** "copy" keeps the source's quality; "quick" is one small rendition. */
  kind: "copy" | "quick";
  files: MediaFile[];
  /** What is really there, which the header of the source may not know. */
  durationS: number;
  /** Size of the video as shown, of the source. */
  width: number;
  height: number;
}

/**
 * The first file that plays: a copy of what browsers play as it is, else one quick rendition.
 * Throws AppError `unusable_video` when nothing comes out.
 */
export async function makePlayable(
  workshop: Workshop,
  piece: Workpiece,
  onOutTime?: (outTimeS: number) => void,
): Promise<PlayableOutput> {
  const plan = planPlayable(piece.facts, piece.scan);
  if (plan.kind === "copy") {
    const copied = await tryCopy(workshop, piece, plan.audio);
    if (copied !== null) return copied;
  } else {
    workshop.logger.debug({ because: plan.because }, "source is not copied");
  }
  return makeQuick(workshop, piece, onOutTime);
}

async function tryCopy(
  workshop: Workshop,
  piece: Workpiece,
  audio: "copy" | "encode" | "none",
): Promise<PlayableOutput | null> {
  const { facts } = piece;
  const target = path.join(piece.workDir, "copy.mp4");
  try {
    await workshop.tools.ffmpeg({
      name: "copy",
      args: copyArgs(facts, piece.sourcePath, audio, target),
      cwd: workshop.emptyDir,
      isUrgent: true,
      limits: planLimits(facts, {
        decodedS: 0,
        encodedRungs: 0,
        threads: workshop.threads,
      }),
      signal: piece.signal,
    });
  } catch (error) {
    if (!(error instanceof MediaProcessError)) throw error;
    workshop.logger.info({ err: error }, "copying failed; making a rendition instead");
    return null;
  }
  const made = await findOutputFacts(workshop, target, piece.signal);
  if (made === null || !isSameDuration(made.durationS, facts.durationS)) {
    workshop.logger.info({ made, declared: facts.durationS }, "copy differs from its source");
    return null;
  }
  const { width, height } = facts.video;
  return {
    kind: "copy",
    files: [
      await describeFile("progressive", "original.mp4", target, {
        width,
        height,
        durationS: made.durationS,
      }),
    ],
    durationS: made.durationS,
    width,
    height,
  };
}

async function makeQuick(
  workshop: Workshop,
  piece: Workpiece,
  onOutTime: ((outTimeS: number) => void) | undefined,
): Promise<PlayableOutput> {
  const { facts } = piece;
  const rung = planQuickRung(facts.video.width, facts.video.height, toFps(piece.fps));
  const target = path.join(piece.workDir, "quick.mp4");
  try {
    await workshop.tools.ffmpeg({
      name: "quick",
      args: quickArgs(
        facts,
        piece.sourcePath,
        { rung, fps: piece.fps, threads: workshop.threads, abilities: workshop.report },
        target,
      ),
      cwd: workshop.emptyDir,
      limits: planLimits(facts, {
        decodedS: facts.durationS,
        encodedRungs: 1,
        threads: workshop.threads,
      }),
      signal: piece.signal,
      onOutTime,
    });
  } catch (error) {
    if (error instanceof MediaProcessError) throw explain(error);
    throw error;
  }
  const made = await findOutputFacts(workshop, target, piece.signal);
  if (made === null) throw refuse.undecodable(new Error("the quick rendition is empty"));
  return {
    kind: "quick",
    files: [
      await describeFile("progressive", `quick-${rung.shortSide}.mp4`, target, {
        width: rung.width,
        height: rung.height,
        durationS: made.durationS,
      }),
    ],
    durationS: made.durationS,
    width: facts.video.width,
    height: facts.video.height,
  };
}

function explain(error: MediaProcessError): AppError {
  if (isOverLimits(error.result)) {
    return new AppError(
      "unusable_video",
      "The video could not be converted within the limits for memory and time.",
      { cause: error },
    );
  }
  return refuse.undecodable(error);
}

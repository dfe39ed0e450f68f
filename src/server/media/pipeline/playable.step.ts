import path from "node:path";
import { AppError } from "#server/lib/app-error.ts";
import { compareTracks, listEncodingChanges } from "../plan/changes.ts";
import { soundOptions } from "../plan/encode-options.ts";
import { copyArgs, planPlayable, quickArgs } from "../plan/playable.ts";
import { planLimits } from "../facts/process-limits.ts";
import { planQuickRung } from "../plan/rungs.ts";
import { toFps, type MediaFacts } from "../facts/media-facts.ts";
import { refuse } from "../probe/refusals.ts";
import { isFileFailure, MediaProcessError } from "../run/media-process-error.ts";
import { findOutputFacts, isSameDuration } from "./check-output.ts";
import {
  describeFile,
  type SourceVideo,
  type PipelineContext,
  type MediaFile,
} from "./pipeline-context.ts";

export interface PlayableOutput {
  /** "copy" preserves the source's quality. "quick" is one small rendition. */
  kind: "copy" | "quick";
  files: MediaFile[];
  /** Measured on the output, because the source's header may be wrong. */
  durationS: number;
  /** Displayed size. */
  width: number;
  height: number;
  /** Gain applied to its audio, in dB. */
  gainDb: number;
  /** Chapters of the source, in the output's times. */
  chapters: MediaFacts["chapters"];
  /** Notices for the admin about differences from the source. */
  notices: string[];
}

/**
 * Returns the gain for encoded audio, in dB. Called only when needed, because it decodes the audio.
 */
export type FindGain = () => Promise<number>;

/**
 * Makes the first playable file: a copy if browsers play the source, otherwise one quick rendition.
 * @throws AppError unusable_video if the output is empty.
 */
export async function makePlayable(
  pipeline: PipelineContext,
  source: SourceVideo,
  findGainDb: FindGain,
  onOutTime?: (outTimeS: number) => void,
): Promise<PlayableOutput> {
  const copy = await makeCopy(pipeline, source, findGainDb);
  return copy ?? makeQuick(pipeline, source, await findGainDb(), onOutTime);
}

/** Copies a source that browsers play. Returns null if the source must be encoded. */
export async function makeCopy(
  pipeline: PipelineContext,
  source: SourceVideo,
  findGainDb: FindGain,
): Promise<PlayableOutput | null> {
  const plan = planPlayable(source.facts, source.scan);
  if (plan.kind === "copy") {
    const gainDb = plan.audio === "encode" ? await findGainDb() : 0;
    return tryCopy(pipeline, source, { audio: plan.audio, gainDb });
  }
  pipeline.logger.debug({ because: plan.because }, "source is not copied");
  return null;
}

/**
 * Makes a copy of a finished file with different audio. Players can lower the volume of a copy but
 * can't raise it.
 */
export function copyWithAudio(
  pipeline: PipelineContext,
  source: SourceVideo,
  sound: { path: string; gainDb: number },
): Promise<PlayableOutput | null> {
  return tryCopy(pipeline, source, { audio: "copy", ...sound });
}

async function tryCopy(
  pipeline: PipelineContext,
  source: SourceVideo,
  sound: { audio: "copy" | "encode" | "none"; gainDb: number; path?: string },
): Promise<PlayableOutput | null> {
  const { facts } = source;
  const target = path.join(source.workDir, "copy.mp4");
  const options = soundOptions(facts, pipeline.report);
  const copy = (namesColors: boolean) =>
    pipeline.tools.ffmpeg({
      name: "copy",
      args: copyArgs(facts, source.sourcePath, { ...sound, options, namesColors }, target),
      cwd: pipeline.emptyDir,
      inputs: [source.sourcePath, ...(sound.path === undefined ? [] : [sound.path])],
      outputDir: source.workDir,
      isUrgent: true,
      limits: planLimits(facts, {
        decodedS: 0,
        encodedRungs: 0,
        threads: pipeline.threads,
      }),
      signal: source.signal,
    });
  try {
    const { stderr } = await copy(true);
    // ffmpeg drops packets whose colors it can't name.
    if (/h264_metadata|bitstream filter/.test(stderr)) await copy(false);
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    pipeline.logger.info({ err: error }, "copying failed; making a rendition instead");
    return null;
  }
  const made = await findOutputFacts(pipeline, target, source.signal);
  const missing = made === null ? [] : compareTracks(facts, made);
  if (made === null || missing.length > 0 || !isSameDuration(made.durationS, facts.durationS)) {
    pipeline.logger.info(
      { made, missing, declared: facts.durationS },
      "copy differs from its source",
    );
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
    gainDb: sound.gainDb,
    chapters: facts.chapters,
    notices: facts.notices,
  };
}

async function makeQuick(
  pipeline: PipelineContext,
  source: SourceVideo,
  gainDb: number,
  onOutTime: ((outTimeS: number) => void) | undefined,
): Promise<PlayableOutput> {
  const { facts } = source;
  const rung = planQuickRung(facts.video.width, facts.video.height, toFps(source.fps));
  const target = path.join(source.workDir, "quick.mp4");
  try {
    await pipeline.tools.ffmpeg({
      name: "quick",
      args: quickArgs(
        facts,
        source.sourcePath,
        { rung, fps: source.fps, threads: pipeline.threads, abilities: pipeline.report, gainDb },
        target,
      ),
      cwd: pipeline.emptyDir,
      inputs: [source.sourcePath],
      outputDir: source.workDir,
      limits: planLimits(facts, {
        decodedS: facts.durationS,
        encodedRungs: 1,
        threads: pipeline.threads,
      }),
      signal: source.signal,
      onOutTime,
    });
  } catch (error) {
    throw (error instanceof MediaProcessError ? explain(error) : null) ?? error;
  }
  const made = await findOutputFacts(pipeline, target, source.signal);
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
    width: rung.width,
    height: rung.height,
    gainDb,
    chapters: facts.chapters,
    notices: [
      ...facts.notices,
      ...listEncodingChanges(facts, source.fps),
      ...compareTracks(facts, made),
    ],
  };
}

/** Explains a failure caused by the file. Returns null if another attempt may succeed. */
function explain(error: MediaProcessError): AppError | null {
  const { result, mediaCause } = error;
  if (mediaCause === "limits") {
    return new AppError(
      "unusable_video",
      "The video couldn't be converted within the memory and time limits.",
      { cause: error },
    );
  }
  // The same bytes crash a decoder each time, but signals can also have other causes.
  return mediaCause === "file" && result.exitCode !== null ? refuse.undecodable(error) : null;
}

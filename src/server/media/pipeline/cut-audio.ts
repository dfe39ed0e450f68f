import path from "node:path";
import { guardProbe, ownInput } from "../facts/input-guards.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { stripOptions } from "../plan/encode-options.ts";
import { parseProbe, probedInfo } from "../probe/ffprobe-output.ts";
import { UnverifiedOutputError } from "../run/media-process-error.ts";
import { isSameDuration } from "./check-output.ts";
import {
  describeFile,
  type PipelineContext,
  type MediaFile,
  type SourceJob,
} from "./pipeline-context.ts";

/** Name of the file with a video's sound. */
const audioFileName = "audio.m4a";

/**
 * Cuts the sound out of a video's progressive file without encoding it again. That file contains AAC
 * (the source's own where browsers play it) and already follows the source's edit list.
 * @returns null if the file has no sound. @throws UnverifiedOutputError, MediaProcessError.
 */
export async function cutAudio(
  pipeline: PipelineContext,
  { facts, sourcePath, workDir, signal }: SourceJob,
): Promise<MediaFile | null> {
  if (facts.audio === null) return null;
  const target = path.join(workDir, audioFileName);
  await pipeline.tools.ffmpeg({
    name: "audio",
    args: [
      ...ownInput(sourcePath),
      ...["-map", `0:${facts.audio.index}`, ...stripOptions, "-c:a", "copy"],
      ...["-movflags", "+faststart", "-f", "mp4", `file:${target}`],
    ],
    cwd: pipeline.emptyDir,
    inputs: [sourcePath],
    outputDir: workDir,
    limits: { ...smallJobLimits, outputBytes: smallJobLimits.outputBytes + facts.sizeBytes },
    signal,
  });
  const { exitCode, stdout } = await pipeline.tools.ffprobe({
    name: "check",
    args: ["-show_format", "-show_streams", "-of", "json", ...guardProbe("mov", target)],
    cwd: pipeline.emptyDir,
    inputs: [target],
    limits: smallJobLimits,
    signal,
  });
  const info = exitCode === 0 ? parseProbe(probedInfo, stdout) : null;
  const durationS = info?.format.duration ?? 0;
  const isWhole = info?.streams.length === 1 && isSameDuration(durationS, facts.audio.endS);
  if (!isWhole) throw new UnverifiedOutputError(audioFileName, "its duration differs", false);
  return describeFile("audio", audioFileName, target);
}

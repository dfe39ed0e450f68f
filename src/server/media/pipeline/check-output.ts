import { guardProbe } from "../facts/input-guards.ts";
import type { TrackEnds } from "../plan/changes.ts";
import { parseProbe, probedInfo, type ProbedStream } from "../probe/ffprobe-output.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { throwIfMemoryRefused } from "../run/media-process-error.ts";
import type { PipelineContext } from "./pipeline-context.ts";

interface OutputFacts extends TrackEnds {
  durationS: number;
}

/** Reads the index of a step's output. Returns null if it contains no playable video. */
export async function findOutputFacts(
  pipeline: PipelineContext,
  path: string,
  signal: AbortSignal | undefined,
): Promise<OutputFacts | null> {
  const result = await pipeline.tools.ffprobe({
    name: "check",
    args: ["-show_format", "-show_streams", "-of", "json", ...guardProbe("mov", path)],
    cwd: pipeline.emptyDir,
    inputs: [path],
    limits: smallJobLimits,
    isUrgent: true,
    signal,
  });
  throwIfMemoryRefused("check", result);
  const info = result.exitCode === 0 ? parseProbe(probedInfo, result.stdout) : null;
  const video = info?.streams.find((stream) => stream.codec_type === "video");
  if (info === null || video === undefined || (video.width ?? 0) === 0) return null;
  const durationS = info.format.duration ?? 0;
  const endOf = ({ start_time: startS, duration }: ProbedStream): number =>
    duration === null ? durationS : (startS ?? 0) + duration;
  const audio = info.streams.find((stream) => stream.codec_type === "audio");
  return {
    durationS,
    videoEndS: endOf(video),
    audioEndS: audio === undefined ? null : endOf(audio),
  };
}

/** Returns whether durations differ by at most a twentieth or half a second. */
export function isSameDuration(aS: number, bS: number): boolean {
  return Math.abs(aS - bS) <= Math.max(0.5, Math.max(aS, bS) * 0.05);
}

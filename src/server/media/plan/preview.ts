import { mp4Output } from "./playable.ts";
import { fitBox } from "#contract/videos/picture-sizes.ts";
import { openFrames, type FrameSource } from "./pictures.ts";
import { planVideoFilter, type FilterAbilities } from "./video-filter.ts";
import { planFrameRate, toFps } from "../facts/media-facts.ts";

const previewS = 3;
const previewBox = { width: 320, height: 320 };

export function planPreview(frames: FrameSource, durationS: number) {
  const fps = planFrameRate(frames.video.fps, null);
  return {
    ...fitBox(frames.video.width, frames.video.height, previewBox),
    // At this size, half the frames of a fast video are enough.
    fps: toFps(fps) > 31 ? { num: fps.num, den: fps.den * 2 } : fps,
    startS: Math.max(0, Math.min(durationS * 0.25, durationS - previewS)),
    durationS: Math.min(previewS, durationS),
  };
}

/** Returns arguments that make a hover preview of three silent seconds. */
export function previewArgs(
  frames: FrameSource,
  plan: ReturnType<typeof planPreview>,
  outputPath: string,
  abilities: FilterAbilities,
): string[] {
  const filter = planVideoFilter(frames.video, plan, abilities);
  const source = openFrames(frames, plan.startS, plan.durationS);
  return [
    ...source.inputs,
    ...["-filter_complex", `${source.graph}${filter}[v]`, "-map", "[v]", "-an"],
    ...["-t", String(previewS), "-map_metadata", "-1", "-map_chapters", "-1"],
    ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-crf", "28"],
    ...["-g", "300", "-threads", "2"],
    ...mp4Output(outputPath),
  ];
}

import { decodersByCodec } from "../facts/input-guards.ts";
import { toFps, type MediaFacts, type Ratio } from "../facts/media-facts.ts";
import { planLargeRungs, planRungs } from "./rungs.ts";

/** Lists the visible differences between a source and its best rendition. */
export function listEncodingChanges({ video }: MediaFacts, fps: Ratio): string[] {
  const notices: string[] = [];
  const size = [video.width, video.height, toFps(fps)] as const;
  const [top] = [...planLargeRungs(...size), ...planRungs(...size)];
  // Odd sizes are rounded to even ones.
  if (top !== undefined && (top.width + 2 <= video.width || top.height + 2 <= video.height)) {
    notices.push(
      `The picture is reduced from ${video.width} x ${video.height} to ${top.width} x ${top.height}.`,
    );
  }
  const [before, after] = [toFps(video.fps), toFps(fps)];
  if (after < before * 0.9 && before > 60.5) {
    notices.push(`The frame rate is reduced from ${Math.round(before)} to ${Math.round(after)}.`);
  }
  return notices;
}

/** End times of an output's tracks in seconds; null for a missing track. */
export interface TrackEnds {
  videoEndS: number;
  audioEndS: number | null;
}

const isShorter = (actualS: number, expectedS: number): boolean =>
  expectedS - actualS > Math.max(0.5, expectedS * 0.05);
const seconds = (endS: number): string => `${Math.round(endS * 10) / 10} s`;

/** Lists the parts of a source's tracks that are missing from an output. */
export function compareTracks({ video, audio }: MediaFacts, made: TrackEnds): string[] {
  const missing: string[] = [];
  if (isShorter(made.videoEndS, video.endS)) {
    missing.push(`The picture ends at ${seconds(made.videoEndS)} of ${seconds(video.endS)}.`);
  }
  if (audio === null) return missing;
  if (made.audioEndS === null) missing.push("The audio of the source is missing.");
  else if (isShorter(made.audioEndS, audio.endS)) {
    missing.push(`The audio ends at ${seconds(made.audioEndS)} of ${seconds(audio.endS)}.`);
  }
  return missing;
}

/** Lists the audio tracks that end earlier than in the source. */
export function compareSounds(
  sounds: readonly { name: string; durationS: number; sourceEndS: number }[],
): string[] {
  return sounds
    .filter(({ durationS, sourceEndS }) => isShorter(durationS, sourceEndS))
    .map(
      ({ name, durationS, sourceEndS }) =>
        `The sound "${name}" ends at ${seconds(durationS)} of ${seconds(sourceEndS)}.`,
    );
}

/** Lists the damage that a decoder found, based on the errors that a media tool printed. */
export function listDamage(
  { video, audio }: MediaFacts,
  errors: readonly string[],
): { isPictureDamaged: boolean; isSoundDamaged: boolean; notices: string[] } {
  const isFrom = (codec: string) =>
    [codec, ...(decodersByCodec.get(codec) ?? [])].some((name) =>
      errors.some((line) => line.startsWith(`[${name}`)),
    );
  const isPictureDamaged = isFrom(video.codec);
  const isSoundDamaged = audio !== null && isFrom(audio.codec);
  const notices = [
    ...(isPictureDamaged ? ["Parts of the picture are damaged in the source."] : []),
    ...(isSoundDamaged ? ["Parts of the audio are damaged in the source and are silent."] : []),
  ];
  return { isPictureDamaged, isSoundDamaged, notices };
}

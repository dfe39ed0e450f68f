import { createCutMove, cutChapters, type KeptPart } from "#contract/videos/kept-parts.ts";
import { tidyChapters } from "#server/lib/chapters.ts";
import type { AudioFacts, Jump, MediaFacts } from "./media-facts.ts";

/**
 * Minimum length of a jump. Shorter gaps may be intended, because screen recorders write nothing
 * while nothing changes.
 */
const minJumpS = 60;
/**
 * Minimum ratio of a jump to the usual distance between frames. A silent video whose frames are
 * evenly spaced is a slide show.
 */
const minRatio = 100;
const maxJumps = 50;

/**
 * Finds jumps in packet times, given in seconds from the start of the file, in any order.
 * @param audioTimes null for a file without audio.
 */
export function findJumps(
  videoTimes: readonly number[],
  audioTimes: readonly number[] | null,
): Jump[] {
  const frames = Float64Array.from(videoTimes).sort();
  const steps = frames.subarray(1).map((time, i) => time - (frames[i] ?? 0));
  const usualS = steps.toSorted()[Math.floor(steps.length / 2)] ?? 0;
  const thresholdS = audioTimes === null ? Math.max(minJumpS, usualS * minRatio) : minJumpS;
  const all = Float64Array.from([...videoTimes, ...(audioTimes ?? [])]).sort();
  const jumps: Jump[] = [];
  for (let i = 1; i < all.length; i += 1) {
    const [before = 0, after = 0] = [all[i - 1], all[i]];
    if (after - before <= thresholdS) continue;
    jumps.push({ atS: (before + after) / 2, lengthS: after - before - usualS });
  }
  return jumps.length > maxJumps ? [] : jumps;
}

/** Converts a time in the source to the time without its jumps. */
export function withoutJumps(timeS: number, jumps: readonly Jump[]): number {
  return jumps.reduce((sum, { atS, lengthS }) => sum - (timeS > atS ? lengthS : 0), timeS);
}

/** Converts a time without a source's jumps to the time in the source. */
export function withJumps(timeS: number, jumps: readonly Jump[]): number {
  return jumps.reduce(
    (sum, { atS, lengthS }) => (sum >= atS - lengthS / 2 ? sum + lengthS : sum),
    timeS,
  );
}

/** Returns what remains of a source without its jumps, in times with them. */
export function betweenJumps(jumps: readonly Jump[]): KeptPart[] {
  const parts: KeptPart[] = [];
  let startS = 0;
  for (const { atS, lengthS } of jumps) {
    parts.push({ startS, endS: atS - lengthS / 2 });
    startS = atS + lengthS / 2;
  }
  return [...parts, { startS, endS: Infinity }];
}

/** Returns the filter that removes a source's jumps, or an empty list if there are none. */
export function jumpFilter(name: "setpts" | "asetpts", jumps: readonly Jump[]): string[] {
  if (jumps.length === 0) return [];
  const terms = jumps.map(({ atS, lengthS }) => `gte(T,${atS.toFixed(3)})*${lengthS.toFixed(3)}`);
  return [`${name}='PTS-(${terms.join("+")})/TB'`];
}

/** Returns the facts of a source without its jumps. */
export function closeJumps(facts: MediaFacts, jumps: Jump[]): MediaFacts {
  if (jumps.length === 0) return facts;
  const lengthS = jumps.reduce((sum, jump) => sum + jump.lengthS, 0);
  const { video, audio } = facts;
  const durationS = withoutJumps(facts.durationS, jumps);
  const move = createCutMove(null, betweenJumps(jumps));
  const chapters = cutChapters(facts.chapters, move, facts.durationS);
  const close = (track: AudioFacts): AudioFacts => ({
    ...track,
    endS: withoutJumps(track.endS, jumps),
  });
  return {
    ...facts,
    durationS,
    video: { ...video, endS: withoutJumps(video.endS, jumps) },
    audio: audio === null ? null : close(audio),
    otherAudio: facts.otherAudio.map(close),
    chapters: tidyChapters(chapters.kept, durationS),
    jumps,
    notices: [
      ...facts.notices,
      `The timestamps jump by ${Math.round(lengthS)} s. The gap was removed.`,
    ],
  };
}

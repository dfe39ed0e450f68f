import type { Chapter } from "./videos.ts";

/** Stretch of a video that a cut keeps, in seconds. Its end isn't part of it. */
export interface KeptPart {
  startS: number;
  endS: number;
}

export const cutLimits = {
  maxParts: 50,
  /** Minimum length of a part, in seconds. */
  minPartS: 0.1,
  /** Minimum length of what remains, in seconds. */
  minTotalS: 1,
} as const;

/** Maximum distance from the end of a video, because durations are rounded. */
const endSlackS = 0.05;

/** Returns the length of what remains, in seconds. */
export const sumOf = (parts: readonly KeptPart[]): number =>
  parts.reduce((sum, { startS, endS }) => sum + endS - startS, 0);

/** Returns why these parts can't be what remains of a video, or null. */
export function findCutProblem(parts: readonly KeptPart[], durationS: number): string | null {
  if (parts.length === 0) return "Keep at least one part.";
  if (parts.length > cutLimits.maxParts) return `Keep at most ${cutLimits.maxParts} parts.`;
  if (parts.some(({ startS, endS }) => endS - startS < cutLimits.minPartS - 0.001)) {
    return `Each part must be at least ${cutLimits.minPartS} s long.`;
  }
  if (parts.some(({ startS }, at) => startS < (parts[at - 1]?.endS ?? 0))) {
    return "Parts must be in order and must not overlap.";
  }
  if ((parts.at(-1)?.endS ?? 0) > durationS + endSlackS) return "A part ends after the video.";
  if (sumOf(parts) < Math.min(cutLimits.minTotalS, durationS)) {
    return `At least ${cutLimits.minTotalS} s must remain.`;
  }
  const removedS = durationS - sumOf(parts);
  return removedS < endSlackS ? "Nothing is removed." : null;
}

/** Rounds seconds to milliseconds, because sums of frame lengths aren't exact. */
const toMs = (timeS: number): number => Math.round(timeS * 1000) / 1000;

/** Converts times of a video to those after a cut, and back. */
function createCutMap(parts: readonly KeptPart[]) {
  return {
    isKept: (timeS: number): boolean =>
      parts.some(({ startS, endS }) => timeS >= startS && timeS < endS),
    /** Returns where a moment is after the cut. Moments in removed parts move to the joint. */
    toCut(timeS: number): number {
      return toMs(
        parts.reduce(
          (sum, { startS, endS }) => sum + Math.min(Math.max(timeS - startS, 0), endS - startS),
          0,
        ),
      );
    },
    /**
     * Returns where a moment after the cut was before.
     * @param isEnd true for the end of a stretch, which at a joint lies before the removed part.
     */
    toSource(timeS: number, isEnd = false): number {
      let leftS = timeS;
      for (const { startS, endS } of parts) {
        const lengthS = endS - startS;
        if (leftS < lengthS - 0.0005 || (isEnd && leftS < lengthS + 0.0005)) {
          return toMs(startS + leftS);
        }
        leftS = Math.max(0, leftS - lengthS);
      }
      return toMs((parts.at(-1)?.endS ?? 0) + leftS);
    },
  };
}

/**
 * Converts times of a video to those after another cut of the same source.
 * @param from parts that it keeps now; null for all of the source.
 */
export function createCutMove(from: readonly KeptPart[] | null, to: readonly KeptPart[] | null) {
  const source = from === null ? null : createCutMap(from);
  const target = to === null ? null : createCutMap(to);
  const toSource = (timeS: number, isEnd = false): number =>
    source?.toSource(timeS, isEnd) ?? timeS;
  const toNew = (timeS: number, isEnd = false): number => {
    const sourceS = toSource(timeS, isEnd);
    return target?.toCut(sourceS) ?? sourceS;
  };
  return {
    toNew: (timeS: number): number => toNew(timeS),
    isKept: (timeS: number): boolean => target?.isKept(toSource(timeS)) ?? true,
    /** Returns when a stretch plays, or null if nothing of it remains. */
    stretch(startS: number, endS: number): { startS: number; endS: number } | null {
      const [newStartS, newEndS] = [toNew(startS), toNew(endS, true)];
      return newEndS > newStartS ? { startS: newStartS, endS: newEndS } : null;
    },
  };
}

export type CutMove = ReturnType<typeof createCutMove>;

/** Returns the chapters that remain at least in part. Each starts where its remaining part does. */
export function cutChapters(
  chapters: readonly Chapter[],
  move: Pick<CutMove, "stretch">,
  durationS: number,
): { kept: Chapter[]; dropped: Chapter[] } {
  const kept: Chapter[] = [];
  const dropped: Chapter[] = [];
  for (const [at, chapter] of chapters.entries()) {
    const endS = chapters[at + 1]?.startS ?? durationS;
    const rest = move.stretch(chapter.startS, endS);
    if (rest === null) dropped.push(chapter);
    else kept.push({ ...chapter, startS: rest.startS });
  }
  return { kept, dropped };
}

/** Returns the parts of the source that remain if a cut video is cut again. */
export function composeCuts(
  earlier: readonly KeptPart[] | null,
  parts: readonly KeptPart[],
): KeptPart[] {
  if (earlier === null) return parts.map((part) => ({ ...part }));
  const composed: KeptPart[] = [];
  let atS = 0;
  for (const { startS, endS } of earlier) {
    const lengthS = endS - startS;
    for (const part of parts) {
      const fromS = Math.max(part.startS - atS, 0);
      const untilS = Math.min(part.endS - atS, lengthS);
      if (untilS - fromS > 0.0005) {
        composed.push({ startS: toMs(startS + fromS), endS: toMs(startS + untilS) });
      }
    }
    atS += lengthS;
  }
  return composed;
}

/** Stretch of a video. Its end isn't part of it. */
export interface Passage {
  startS: number;
  endS: number;
}

/** Returns the rest of a video without these passages, which are in order and disjoint. */
export function gapsBetween(passages: readonly Passage[], durationS: number): Passage[] {
  const gaps: Passage[] = [];
  let atS = 0;
  for (const { startS, endS } of [...passages, { startS: durationS, endS: durationS }]) {
    if (startS > atS) gaps.push({ startS: atS, endS: startS });
    atS = Math.max(atS, endS);
  }
  return gaps;
}

/**
 * Returns the passages without a stretch.
 * @param minS minimum length in seconds. Shorter remains are dropped.
 */
export function withoutPassage(
  passages: readonly Passage[],
  { startS, endS }: Passage,
  minS: number,
): Passage[] {
  return passages
    .flatMap((each) => [
      { startS: each.startS, endS: Math.min(each.endS, startS) },
      { startS: Math.max(each.startS, endS), endS: each.endS },
    ])
    .filter((each) => each.endS - each.startS >= minS);
}

/** Returns the passages together with a stretch, in order and joined where they touch. */
export function withPassage(passages: readonly Passage[], added: Passage): Passage[] {
  const joined: Passage[] = [];
  for (const each of [...passages, added].toSorted((a, b) => a.startS - b.startS)) {
    const last = joined.at(-1);
    if (last !== undefined && each.startS <= last.endS) {
      last.endS = Math.max(last.endS, each.endS);
    } else joined.push({ ...each });
  }
  return joined;
}

/**
 * Returns where playing continues if only these passages play: the time itself inside of one,
 * otherwise the start of the next; null after the last.
 */
export function nextPlayed(passages: readonly Passage[], timeS: number): number | null {
  const next = passages.find(({ endS }) => timeS < endS);
  return next === undefined ? null : Math.max(timeS, next.startS);
}

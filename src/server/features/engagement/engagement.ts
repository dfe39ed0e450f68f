/** Points per event in every ranking. See docs/ranking.md for the reasons. */
export const engagementWeight = { view: 1, completed: 1, like: 4 } as const;

/** Time within which a visitor's plays of one video count as one view. */
export const viewWindowMs = 30 * 60 * 1000;

/** Half-life of an event in `trend`. */
export const halfLifeMs = 24 * 3600 * 1000;

/** Exponent below which a term can't change any digit of a sum. */
export const negligibleLog2 = 60;

/** Returns the weighted sum of the counts. */
export function engagementPoints(counts: {
  views: number;
  completed: number;
  likes: number;
}): number {
  return (
    counts.views * engagementWeight.view +
    counts.completed * engagementWeight.completed +
    counts.likes * engagementWeight.like
  );
}

/** Returns log2(w * 2^(t / 24 h)): one event in the forward-decayed sum (Cormode et al. 2009). */
export function eventScore(weight: number, atMs: number): number {
  return Math.log2(weight) + atMs / halfLifeMs;
}

/** Returns log2(2^a + 2^b) without overflowing a double. `-Infinity` is an empty sum. */
export function addScores(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return Math.max(a, b) + Math.log2(1 + 2 ** -Math.min(Math.abs(a - b), negligibleLog2));
}

/** Returns the value of a `trend` in points at this time. */
export function pointsAt(trend: number, atMs: number): number {
  return 2 ** (trend - atMs / halfLifeMs);
}

/**
 * Returns the play time after which a play counts as engaged: 10 seconds or half of the video,
 * whichever is less.
 */
export function engagedAfterS(durationS: number): number {
  return Math.min(10, durationS / 2);
}

/** Maximum playback rate and delay of a report. */
const possible = { rate: 2, lateS: 2 };

/** Returns how much can have been watched in the time since a play began. */
export function possibleWatchS(elapsedS: number): number {
  return possible.rate * Math.max(0, elapsedS) + possible.lateS;
}

/** The points of one event in every ranking; docs/ranking.md gives the reasons. */
export const engagementWeight = { view: 1, completed: 1, like: 4 } as const;

/** A visitor's plays of one video within this time count as one view. */
export const viewWindowMs = 30 * 60 * 1000;

/** After this time an event counts half as much in `trend`. */
export const halfLifeMs = 24 * 3600 * 1000;

/** 2^-60 of a sum changes no digit of it. */
export const negligibleLog2 = 60;

/** The weighted sum of what was counted. */
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

/** log2(w * 2^(t / 24 h)): one event in the forward-decayed sum (Cormode et al. 2009). */
export function eventScore(weight: number, atMs: number): number {
  return Math.log2(weight) + atMs / halfLifeMs;
}

/** log2(2^a + 2^b), without leaving the range of a double. `-Infinity` is an empty sum. */
export function addScores(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return Math.max(a, b) + Math.log2(1 + 2 ** -Math.min(Math.abs(a - b), negligibleLog2));
}

/** The points that the events of a `trend` are worth at this time. */
export function pointsAt(trend: number, atMs: number): number {
  return 2 ** (trend - atMs / halfLifeMs);
}

/** The play time after which a play is engaged: 10 seconds or half of the video, whichever is less. */
export function engagedAfterS(durationS: number): number {
  return Math.min(10, durationS / 2);
}

/** Playback is at most this fast, and a report is at most so late. */
const possible = { rate: 2, lateS: 2 };

/** How much can have been watched in this time since a play began. */
export function possibleWatchS(elapsedS: number): number {
  return possible.rate * Math.max(0, elapsedS) + possible.lateS;
}

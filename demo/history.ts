import {
  addScores,
  engagementPoints,
  eventScore,
} from "../src/server/features/engagement/engagement.ts";

/** What one hour of a video's life brought. Counts are whole numbers. */
export interface HistoryHour {
  hour: Date;
  views: number;
  engaged: number;
  completed: number;
  likes: number;
  watchTimeS: number;
}

export interface HistoryPlan {
  publishedAt: Date;
  now: Date;
  durationS: number;
  views: number;
  /** Likes per view. */
  likeRate: number;
  /** Two videos of the same numbers still have lives of their own. */
  seed: string;
}

const hourMs = 3_600_000;

/** Numbers from 0 up to 1 that follow from a text (mulberry32 over an FNV-1a hash). */
export function createRandom(text: string): () => number {
  let state = 2_166_136_261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Shares of whole things: cumulative rounding, so that they add up to the total exactly. */
function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - given;
    given += share;
    return share;
  });
}

/**
 * A believable life: a rush after publication that fades within days, a long tail, evenings busier
 * than nights. Hours without anything are left out. The same plan gives the same history.
 */
export function planHistory(plan: HistoryPlan): HistoryHour[] {
  const random = createRandom(plan.seed);
  const first = Math.floor(plan.publishedAt.getTime() / hourMs);
  const last = Math.floor(plan.now.getTime() / hourMs);
  const weights: number[] = [];
  for (let hour = first; hour <= last; hour += 1) {
    const ageDays = (hour - first) / 24;
    const hourOfDay = hour % 24;
    const rhythm = 1 + 0.65 * Math.sin(((hourOfDay - 13) / 24) * 2 * Math.PI);
    weights.push((0.18 + Math.exp(-ageDays / 3.5)) * rhythm * (0.5 + random()));
  }
  const views = apportion(plan.views, weights);
  const likes = apportion(Math.round(plan.views * plan.likeRate), weights);
  const engagedShare = 0.45 + 0.35 * random();
  const completedShare = engagedShare * (0.35 + 0.4 * random());
  return views.flatMap((count, at) => {
    const liked = likes[at] ?? 0;
    if (count === 0 && liked === 0) return [];
    const engaged = Math.max(liked, Math.round(count * engagedShare));
    const completed = Math.min(engaged, Math.round(count * completedShare));
    return [
      {
        hour: new Date((first + at) * hourMs),
        views: count,
        engaged,
        completed,
        likes: liked,
        watchTimeS: Math.round(plan.durationS * (completed + 0.3 * (count - completed))),
      },
    ];
  });
}

/** The forward-decayed engagement of these hours, as `videos.trend` stores it. */
export function trendOf(hours: readonly HistoryHour[]): number {
  return hours.reduce((score, counts) => {
    const points = engagementPoints(counts);
    return points === 0 ? score : addScores(score, eventScore(points, counts.hour.getTime()));
  }, -Infinity);
}

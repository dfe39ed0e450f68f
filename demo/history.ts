import { addScores, engagementPoints, eventScore } from "#server/features/engagement/engagement.ts";

/** Statistics of one hour of a video. Counts are whole numbers. */
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
  /** Different seeds give different histories for the same numbers. */
  seed: string;
}

const hourMs = 3_600_000;

/**
 * Returns pseudo-random numbers from 0 up to 1, seeded by a text (mulberry32 over an FNV-1a hash).
 */
function createRandom(text: string): () => number {
  let state = 2_166_136_261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Divides a total into whole shares. Cumulative rounding makes them add up exactly. */
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
 * Plans a plausible history: a peak after publication that fades within days, a long tail, and
 * evenings that are busier than nights. Hours without views or likes are left out. The same plan
 * gives the same history.
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

/** Returns the forward-decayed engagement of these hours, as `videos.trend` stores it. */
export function trendOf(hours: readonly HistoryHour[]): number {
  return hours.reduce((score, counts) => {
    const points = engagementPoints(counts);
    return points === 0 ? score : addScores(score, eventScore(points, counts.hour.getTime()));
  }, -Infinity);
}

import type { CandidatePool } from "./candidate-pool.ts";
import type { FeedCandidate } from "./feed.repository.ts";

/** Recent play of the visitor. */
export interface TastePlay {
  videoId: string;
  title: string;
  /** Reward of the play, and the average reward of plays of this video. */
  reward: number;
  usualReward: number;
  labelIds: readonly string[];
}

/** Video also watched by viewers of the visitor's videos. */
export interface TasteNeighbour {
  videoId: string;
  /** Overlap of viewers, weighted by the rewards of the visitor's plays. */
  weight: number;
  /** Visitor's video that contributes most. */
  becauseId: string;
}

/** Preferences that the visitor set in the page. */
export interface Steering {
  lessTagIds: readonly string[];
  /** Labels of each video marked as not interesting. */
  disliked: readonly (readonly string[])[];
}

/** Constants of taste. `npm run bench -- ranking` compares them with alternatives. */
export const tasteTuning = {
  /**
   * Number of plays of a label at which half of their mean counts. It is lower in a small
   * catalogue, see `labelShrinkage`.
   */
  labelShrink: 8,
  labelShare: 0.5,
  neighbourShare: 0.3,
  /** Maximum change of a score by taste. */
  bound: 0.2,
  /** Penalty for a label the visitor wants less of. */
  lessPenalty: 0.4,
} as const;
export type TasteTuning = { readonly [name in keyof typeof tasteTuning]: number };

/** Catalogue size at which only half as many plays are needed. */
const smallCatalogue = 100;

/**
 * Returns the shrinkage. In a small catalogue, a wrong guess costs less and there are fewer plays
 * to learn from.
 */
const labelShrinkage = (videos: number, { labelShrink }: TasteTuning) =>
  (labelShrink * videos) / (videos + smallCatalogue);

/** Number of latest plays that count. */
export const tastePlaysMax = 50;

/** Labels of candidates as numbers. Those of candidate `i` start at `offsets[i]` in `items`. */
export interface LabelColumns {
  indexOf: ReadonlyMap<string, number>;
  offsets: Uint32Array;
  items: Uint32Array;
}

export function createLabelColumns(
  candidates: readonly Pick<FeedCandidate, "labelIds">[],
): LabelColumns {
  const indexOf = new Map<string, number>();
  const offsets = new Uint32Array(candidates.length + 1);
  const items: number[] = [];
  for (const [index, { labelIds }] of candidates.entries()) {
    for (const id of labelIds) {
      const label = indexOf.get(id) ?? indexOf.size;
      indexOf.set(id, label);
      items.push(label);
    }
    offsets[index + 1] = items.length;
  }
  return { indexOf, offsets, items: Uint32Array.from(items) };
}

/**
 * Returns how much better or worse than usual the visitor's plays of each label were, after
 * shrinkage.
 */
function labelResiduals(
  plays: readonly TastePlay[],
  steering: Steering,
  shrink: number,
): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  const add = (labelId: string, residual: number) => {
    const { sum, count } = sums.get(labelId) ?? { sum: 0, count: 0 };
    sums.set(labelId, { sum: sum + residual, count: count + 1 });
  };
  for (const { reward, usualReward, labelIds } of plays) {
    for (const id of labelIds) add(id, reward - usualReward);
  }
  for (const labelIds of steering.disliked) for (const id of labelIds) add(id, -1);
  // Mean multiplied by n / (n + shrink).
  return new Map([...sums].map(([id, { sum, count }]) => [id, sum / (count + shrink)]));
}

/** Both parts of the taste for one candidate. */
interface TasteParts {
  labels: number;
  /** Label that contributes most. */
  labelId: string | null;
  neighbours: number;
  becauseId: string | null;
}

export interface Taste {
  /** Change of each candidate's score, by index. */
  values: Float32Array;
  /** 1 for each candidate with a label that the visitor likes, or near one of their videos. */
  liked: Uint8Array;
  partsOf(index: number): TasteParts;
}

export function createTaste(
  pool: CandidatePool<FeedCandidate> & { labels: LabelColumns },
  plays: readonly TastePlay[],
  neighbours: readonly TasteNeighbour[],
  steering: Steering,
  tuning: TasteTuning = tasteTuning,
): Taste {
  const { labels, candidates, indexOf } = pool;
  const residuals = labelResiduals(plays, steering, labelShrinkage(candidates.length, tuning));
  const ofLabel = new Float32Array(labels.indexOf.size);
  for (const [id, value] of residuals) {
    const label = labels.indexOf.get(id);
    if (label !== undefined) ofLabel[label] = value;
  }
  const isLess = new Uint8Array(labels.indexOf.size);
  for (const id of steering.lessTagIds) {
    const label = labels.indexOf.get(id);
    if (label !== undefined) isLess[label] = 1;
  }
  const near = new Map<number, TasteNeighbour>();
  for (const neighbour of neighbours) {
    const index = indexOf.get(neighbour.videoId);
    if (index !== undefined) near.set(index, neighbour);
  }

  const { bound, labelShare, neighbourShare, lessPenalty } = tuning;
  const values = new Float32Array(candidates.length);
  const liked = new Uint8Array(candidates.length);
  for (let index = 0; index < candidates.length; index += 1) {
    let sum = 0;
    let penalty = 0;
    const end = labels.offsets[index + 1] ?? 0;
    for (let at = labels.offsets[index] ?? 0; at < end; at += 1) {
      const label = labels.items[at] ?? 0;
      const residual = ofLabel[label] ?? 0;
      sum += residual;
      if (residual > 0) liked[index] = 1;
      if (isLess[label] === 1) penalty = lessPenalty;
    }
    values[index] = Math.max(-bound, Math.min(bound, labelShare * sum)) - penalty;
  }
  for (const [index, { weight }] of near) {
    const labelPart = values[index] ?? 0;
    if (weight > 0) liked[index] = 1;
    const moved = labelPart + neighbourShare * weight;
    values[index] = Math.max(-bound - lessPenalty, Math.min(bound, moved));
  }

  return {
    values,
    liked,
    partsOf(index) {
      const labelIds = candidates[index]?.labelIds ?? [];
      const best = labelIds.toSorted(
        (a, b) => (residuals.get(b) ?? 0) - (residuals.get(a) ?? 0),
      )[0];
      const neighbour = near.get(index);
      return {
        labels: labelShare * labelIds.reduce((sum, id) => sum + (residuals.get(id) ?? 0), 0),
        labelId: best ?? null,
        neighbours: neighbourShare * (neighbour?.weight ?? 0),
        becauseId: neighbour?.becauseId ?? null,
      };
    },
  };
}

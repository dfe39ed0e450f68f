import type { Db } from "#server/db/connection.ts";
import { reward, playReward } from "#server/features/engagement/rewards.ts";
import type { FeedCandidate } from "./feed.repository.ts";
import type { FeedSnapshot } from "./candidate-pool.ts";
import {
  listLabelIds,
  listNeighbours,
  listTastePlays,
  type StoredPlay,
} from "./taste.repository.ts";

/** Preferences that the visitor set in the page. The browser stores them. */
export interface FeedSteering {
  /** False if the visitor switched personalisation off. */
  isPersonal: boolean;
  /** Videos marked as not interesting. */
  notIds: readonly string[];
  lessTagIds: readonly string[];
}

/**
 * Visitor of a feed and its start time. Cursors contain everything except the visitor and their
 * preferences.
 */
export interface FeedSession {
  /** Seed of all random samples. The same seed produces the same order. */
  seed: string;
  startedAtMs: number;
  visitorId: string | null;
  /** Ids already shown by the page. */
  shownIds: readonly string[];
  steering: FeedSteering;
  /** True for a visitor who may play the videos for members. Others don't get them. */
  isMember: boolean;
}

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

/** Constants of taste. `npm run bench -- ranking` measures their effect. */
const tasteTuning = {
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

/** Catalogue size at which only half as many plays are needed. */
const smallCatalogue = 100;

/**
 * Returns the shrinkage. In a small catalogue, a wrong guess costs less and there are fewer plays
 * to learn from.
 */
const labelShrinkage = (videos: number) =>
  (tasteTuning.labelShrink * videos) / (videos + smallCatalogue);

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

/** Taste for one candidate, and its parts. */
interface CandidateTaste {
  /** Change of its score. */
  value: number;
  /** True if it has a label that the visitor likes, or is near one of their videos. */
  isLiked: boolean;
  labels: number;
  /** Label that contributes most. */
  labelId: string | null;
  neighbours: number;
  becauseId: string | null;
}

/** Taste for each candidate, by id. */
export type Taste = ReadonlyMap<string, CandidateTaste>;

export function createTaste(
  candidates: readonly Pick<FeedCandidate, "id" | "labelIds">[],
  plays: readonly TastePlay[],
  neighbours: readonly TasteNeighbour[],
  steering: Steering,
): Taste {
  const { bound, labelShare, neighbourShare, lessPenalty } = tasteTuning;
  const residuals = labelResiduals(plays, steering, labelShrinkage(candidates.length));
  const residualOf = (labelId: string) => residuals.get(labelId) ?? 0;
  const near = new Map(neighbours.map((neighbour) => [neighbour.videoId, neighbour]));

  function tasteFor(id: string, labelIds: readonly string[]): CandidateTaste {
    const neighbour = near.get(id);
    const labels = labelShare * labelIds.reduce((sum, labelId) => sum + residualOf(labelId), 0);
    const ofNeighbours = neighbourShare * (neighbour?.weight ?? 0);
    const isLess = labelIds.some((labelId) => steering.lessTagIds.includes(labelId));
    const ofLabels = Math.max(-bound, Math.min(bound, labels)) - (isLess ? lessPenalty : 0);
    const best = labelIds.reduce<string | null>(
      (top, labelId) => (top === null || residualOf(labelId) > residualOf(top) ? labelId : top),
      null,
    );
    return {
      value: Math.max(-bound - lessPenalty, Math.min(bound, ofLabels + ofNeighbours)),
      isLiked: ofNeighbours > 0 || labelIds.some((labelId) => residualOf(labelId) > 0),
      labels,
      labelId: best,
      neighbours: ofNeighbours,
      becauseId: neighbour?.becauseId ?? null,
    };
  }
  return new Map(candidates.map(({ id, labelIds }) => [id, tasteFor(id, labelIds)]));
}

/** Usual values for a video with few plays. */
const usual = { reward: 0.5, plays: 10 };

/** Visitor's taste, with the titles of their videos by id. */
export interface VisitorTaste {
  byId: Taste;
  titleOf(videoId: string): string | null;
}

/**
 * Computes the taste of the session's visitor without storing it. Returns null if nothing is known
 * about them.
 */
export async function findTaste(
  db: Db,
  session: FeedSession,
  snapshot: FeedSnapshot,
): Promise<VisitorTaste | null> {
  const { visitorId, startedAtMs, steering } = session;
  if (!steering.isPersonal) return null;
  const [stored, disliked] = await Promise.all([
    visitorId === null ? [] : listTastePlays(db, visitorId, new Date(startedAtMs)),
    listLabelIds(db, steering.notIds),
  ]);
  if (stored.length === 0 && disliked.length === 0 && steering.lessTagIds.length === 0) return null;
  const scale = snapshot.rewardScale;
  const plays = stored.map((play) => toTastePlay(play, scale));
  const neighbours = await listNeighbours(db, plays);
  const titles = new Map(plays.map(({ videoId, title }) => [videoId, title]));
  return {
    byId: createTaste(snapshot.candidates, plays, neighbours, {
      lessTagIds: steering.lessTagIds,
      disliked,
    }),
    titleOf: (videoId) => titles.get(videoId) ?? null,
  };
}

function toTastePlay(play: StoredPlay, scale: number): TastePlay {
  const { videoId, title, labelIds, isLiked, durationS } = play;
  const earned = playReward(play, durationS) + (isLiked ? reward.likeBonus : 0);
  return {
    videoId,
    title,
    labelIds,
    reward: Math.min(1, earned),
    usualReward:
      (play.rewardSum / scale + usual.reward * usual.plays) /
      (play.rewardCount / scale + usual.plays),
  };
}

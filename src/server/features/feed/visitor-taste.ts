import type { Db } from "#server/db/connection.ts";
import { reward, playReward } from "#server/features/engagement/rewards.ts";
import type { FeedSession } from "./feed-ranker.ts";
import type { FeedSnapshot } from "./feed-snapshot.ts";
import { createTaste, type Taste, type TastePlay } from "./taste.ts";
import {
  listLabelIds,
  listNeighbours,
  listTastePlays,
  type StoredPlay,
} from "./taste.repository.ts";

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

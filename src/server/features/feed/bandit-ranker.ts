import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { VideoReason } from "#server/lib/video-reasons.ts";
import {
  listActorIds,
  listRestIds,
  listSeenAgainIds,
  listSeenIds,
  type FeedCandidate,
} from "./feed.repository.ts";
import {
  isExplorationPosition,
  separateActors,
  isNewcomerPosition,
  takeNext,
  hashText,
  type Candidate,
} from "./ranking.ts";
import { findTaste, type FeedSession, type VisitorTaste } from "./taste.ts";
import {
  scoreOf,
  scoreParts,
  createFeedSnapshots,
  type CandidatePool,
  type Scored,
  type FeedSnapshot,
} from "./candidate-pool.ts";

const dayMs = 24 * 3600 * 1000;

/** Reason for a video's position, which is the largest term of its score. */
export type FeedReason =
  | { kind: "newcomer" | "quality" | "exploration" | "seen" }
  | { kind: "watched"; title: string }
  | { kind: "label"; labelId: string }
  | { kind: "fresh"; publishedAtMs: number }
  | { kind: "views"; viewsToday: number; views: number };

/** Start of the feed's next page. Only the ranker interprets it. */
export type FeedPosition =
  | { phase: "ranked"; offset: number }
  | { phase: "rest"; afterTrend: number | null; afterId: string | null }
  | { phase: "seen"; afterMs: number | null; afterId: string | null };

export interface FeedPage {
  items: { id: string; reason: FeedReason }[];
  /** Null once this visitor has seen everything. */
  next: FeedPosition | null;
}

export const firstPosition: FeedPosition = { phase: "ranked", offset: 0 };

/** Order of one session. Computed only as far as requested. */
interface SessionOrder<C extends Candidate = Candidate> {
  length: number;
  /** Returns the candidates at these positions, counted from 0. */
  slice(from: number, to: number): Scored<C>[];
}

/** Videos the visitor saw before the session, and their taste. */
export interface Shown {
  /** Ids of candidates to leave out. */
  excludedIds: ReadonlySet<string>;
  /** Actors of the last video on screen. */
  lastActorIds: readonly string[];
  /** Number of videos on screen. */
  count: number;
  /** Taste for each candidate, by id. */
  taste?: ReadonlyMap<string, { value: number; isLiked: boolean }> | null;
}

/**
 * Puts the best samples first. Every fifth position is for the oldest newcomer as long as there are
 * any, and two of ten are for videos outside the visitor's taste. Where possible, the same actor
 * never appears twice in a row.
 */
export function createSessionOrder<C extends Candidate>(
  { candidates }: CandidatePool<C>,
  seed: string,
  { excludedIds, lastActorIds, count, taste = null }: Shown,
): SessionOrder<C> {
  const seedHash = hashText(seed);
  const left = candidates.filter(({ id }) => !excludedIds.has(id));
  const newcomers = left
    .filter(({ isNewcomer }) => isNewcomer)
    .toSorted((a, b) => a.publishedAtMs - b.publishedAtMs);
  const ranked = left
    .filter(({ isNewcomer }) => !isNewcomer)
    .map((candidate) => ({
      candidate,
      score: scoreOf(candidate, seedHash, taste?.get(candidate.id)?.value ?? 0),
    }))
    .toSorted((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? 1 : -1))
    .map(({ candidate }) => candidate);
  const outside = taste === null ? [] : ranked.filter(({ id }) => taste.get(id)?.isLiked !== true);
  const order: Scored<C>[] = [];

  function takeOne(): Scored<C> | undefined {
    const position = count + order.length + 1;
    const isNewcomerTurn = isNewcomerPosition(position) || ranked.length === 0;
    const isOutsideTurn = isExplorationPosition(position) && outside.length > 0;
    const from =
      isNewcomerTurn && newcomers.length > 0 ? newcomers : isOutsideTurn ? outside : ranked;
    const next = takeNext(from, order.at(-1)?.actorIds ?? lastActorIds);
    const other = from === outside ? ranked : outside;
    const at = next === undefined ? -1 : other.indexOf(next);
    if (at >= 0) other.splice(at, 1);
    return next;
  }

  return {
    length: left.length,
    slice(from, to) {
      while (order.length < Math.min(to, left.length)) {
        const next = takeOne();
        if (next === undefined) break;
        order.push(next);
      }
      return order.slice(from, to);
    },
  };
}

const maxSessions = 500;
/**
 * Maximum number of snapshots. Each takes some MB. If one is dropped, its sessions are
 * ordered again from their seed.
 */
const maxSnapshots = 20;
const maxSeen = 5000;

/** Order of one session, with the snapshot of its candidates. */
interface Order {
  snapshot: FeedSnapshot;
  positions: SessionOrder<FeedCandidate>;
  taste: VisitorTaste | null;
}

/** Reorders a page so that no actor appears twice in a row, where possible. */
async function spread<T extends { id: string }>(
  db: Db,
  rows: T[],
  reasonOfRow: (row: T) => FeedReason,
): Promise<FeedPage["items"]> {
  const actors = await listActorIds(
    db,
    rows.map(({ id }) => id),
  );
  const items = rows.map((row) => ({ row, actorIds: actors.get(row.id) ?? [] }));
  return separateActors(items, []).map(({ row }) => ({ id: row.id, reason: reasonOfRow(row) }));
}

async function listRest(
  db: Db,
  { candidates }: FeedSnapshot,
  session: FeedSession,
  position: Extract<FeedPosition, { phase: "rest" }>,
  limit: number,
): Promise<FeedPage> {
  const rows = await listRestIds(db, {
    excludedIds: [
      ...candidates.map(({ id }) => id),
      ...session.shownIds,
      ...session.steering.notIds,
    ],
    visitorId: session.visitorId,
    isMember: session.isMember,
    before: new Date(session.startedAtMs),
    after:
      position.afterId === null
        ? null
        : { trend: position.afterTrend ?? -Infinity, id: position.afterId },
    limit,
  });
  const last = rows.at(-1);
  const isMore = rows.length === limit && last !== undefined;
  return {
    items: await spread(db, rows, (row) => ({ kind: "views", ...row })),
    next: isMore
      ? {
          phase: "rest",
          // JSON has no infinity, so null means a video without plays.
          afterTrend: Number.isFinite(last.trend) ? last.trend : null,
          afterId: last.id,
        }
      : { phase: "seen", afterMs: null, afterId: null },
  };
}

async function listSeen(
  db: Db,
  session: FeedSession,
  position: Extract<FeedPosition, { phase: "seen" }>,
  limit: number,
): Promise<FeedPage> {
  if (session.visitorId === null) return { items: [], next: null };
  const rows = await listSeenAgainIds(db, {
    excludedIds: [...session.shownIds, ...session.steering.notIds],
    visitorId: session.visitorId,
    isMember: session.isMember,
    before: new Date(session.startedAtMs),
    after: position.afterId === null ? null : { atMs: position.afterMs ?? 0, id: position.afterId },
    limit,
  });
  const last = rows.at(-1);
  const isMore = rows.length === limit && last !== undefined;
  return {
    items: await spread(db, rows, () => ({ kind: "seen" })),
    next: isMore ? { phase: "seen", afterMs: last.atMs, afterId: last.id } : null,
  };
}

/** Returns the score by which a candidate is ranked in this session; null for a newcomer. */
export function rankedScore(
  candidate: Scored,
  seed: string,
  taste: VisitorTaste | null,
): number | null {
  if (candidate.isNewcomer) return null;
  return scoreOf(candidate, hashText(seed), taste?.byId.get(candidate.id)?.value ?? 0);
}

/**
 * Returns the reason for a candidate's position: the term without which the candidate wouldn't be
 * on its page. If there are several such terms, taste comes first, then the largest.
 * @param next score of the best video that isn't on the page; Infinity if every video is.
 */
export function reasonOf(
  candidate: Scored<FeedCandidate>,
  seed: string,
  taste: VisitorTaste | null,
  next: number,
): FeedReason {
  const score = rankedScore(candidate, seed, taste);
  if (score === null) return { kind: "newcomer" };
  const { mean, sample, freshness } = scoreParts(candidate, hashText(seed));
  const own = taste?.byId.get(candidate.id);
  const title = taste?.titleOf(own?.becauseId ?? "") ?? null;
  // 1/2 is average, so only what is above it has raised the video.
  const terms: { reason: FeedReason; added: number; isTasteTerm: boolean }[] = [
    { reason: { kind: "quality" }, added: (mean - 0.5) * freshness, isTasteTerm: false },
    { reason: { kind: "exploration" }, added: (sample - mean) * freshness, isTasteTerm: false },
    {
      reason: { kind: "fresh", publishedAtMs: candidate.publishedAtMs },
      added: Math.max(0, sample) * (freshness - 1),
      isTasteTerm: false,
    },
  ];
  const lifted = (own?.value ?? 0) * freshness;
  if (own !== undefined && lifted > 0) {
    const isWatched = title !== null && own.neighbours >= own.labels;
    if (isWatched)
      terms.push({ reason: { kind: "watched", title }, added: lifted, isTasteTerm: true });
    else if (own.labelId !== null) {
      const reason: FeedReason = { kind: "label", labelId: own.labelId };
      terms.push({ reason, added: lifted, isTasteTerm: true });
    }
  }
  const positive = terms.filter(({ added }) => added > 0).toSorted((a, b) => b.added - a.added);
  const needed = positive.filter(({ added }) => score - added < next);
  const best = needed.find(({ isTasteTerm }) => isTasteTerm) ?? needed[0] ?? positive[0];
  if (best !== undefined) return best.reason;
  return { kind: "views", viewsToday: candidate.viewsToday, views: candidate.impressions };
}

/**
 * Returns the reason as shown to visitors. @param nameOf returns the name of a label of this video.
 */
export function shownReason(
  reason: FeedReason,
  nameOf: (labelId: string) => string | null,
  nowMs: number,
): VideoReason {
  switch (reason.kind) {
    case "watched":
      return { kind: "watched", name: reason.title };
    case "label": {
      const name = nameOf(reason.labelId);
      return name === null ? { kind: "taste" } : { kind: "label", name };
    }
    case "fresh":
      return {
        kind: nowMs - reason.publishedAtMs < dayMs ? "publishedToday" : "publishedRecently",
      };
    case "views":
      return reason.viewsToday > 0
        ? { kind: "viewsToday", count: reason.viewsToday }
        : { kind: "viewsSoFar", count: reason.views };
    default:
      return { kind: reason.kind };
  }
}

/**
 * Thompson sampling over the rewards of each video (docs/ranking.md), adjusted by the visitor's
 * taste. There are three phases: ranked videos that this visitor hasn't seen; the remaining videos
 * of a large catalogue, by trend; and seen videos, oldest first. The order is stable within a session:
 * the same session and position return the same page, even while other visitors watch.
 */
export function createBanditRanker(deps: { db: Db; clock: Clock }) {
  const { db } = deps;
  const snapshots = createFeedSnapshots(deps);
  /** Orders by session, least recently used first. */
  const orders = new Map<string, Order>();
  let lastAdded: FeedSnapshot | null = null;

  async function createOrder(session: FeedSession): Promise<Order> {
    const snapshot = await snapshots.current();
    const { visitorId, shownIds, steering } = session;
    const [seenIds, taste] = await Promise.all([
      visitorId === null ? [] : listSeenIds(db, visitorId, new Date(session.startedAtMs), maxSeen),
      findTaste(db, session, snapshot),
    ]);
    const lockedIds = session.isMember
      ? []
      : snapshot.candidates.filter(({ isMembersOnly }) => isMembersOnly).map(({ id }) => id);
    const lastShown = snapshot.byId.get(shownIds.at(-1) ?? "");
    const positions = createSessionOrder(snapshot, session.seed, {
      taste: taste?.byId ?? null,
      excludedIds: new Set([...seenIds, ...shownIds, ...steering.notIds, ...lockedIds]),
      lastActorIds: lastShown?.actorIds ?? [],
      count: shownIds.length,
    });
    return { snapshot, positions, taste };
  }

  async function orderOf(session: FeedSession): Promise<Order> {
    const { seed, startedAtMs, visitorId, shownIds, steering, isMember } = session;
    const key = JSON.stringify([seed, startedAtMs, visitorId, shownIds, steering, isMember]);
    const cached = orders.get(key);
    const order = cached ?? (await createOrder(session));
    orders.delete(key);
    orders.set(key, order);
    if (cached === undefined) evict(order.snapshot);
    return order;
  }

  function evict(added: FeedSnapshot): void {
    for (const oldest of orders.keys()) {
      if (orders.size <= maxSessions) break;
      orders.delete(oldest);
    }
    if (added === lastAdded) return;
    lastAdded = added;
    const used = [...new Set([...orders.values()].map((order) => order.snapshot))];
    if (used.length <= maxSnapshots) return;
    const newest = new Set(
      used.toSorted((a, b) => b.loadedAtMs - a.loadedAtMs).slice(0, maxSnapshots),
    );
    for (const [key, order] of orders) if (!newest.has(order.snapshot)) orders.delete(key);
  }

  return {
    async list(session: FeedSession, position: FeedPosition, limit: number): Promise<FeedPage> {
      if (position.phase === "rest") {
        return listRest(db, (await orderOf(session)).snapshot, session, position, limit);
      }
      if (position.phase === "seen") return listSeen(db, session, position, limit);
      const { positions, taste } = await orderOf(session);
      const page = positions.slice(position.offset, position.offset + limit);
      const { seed, shownIds } = session;
      const before = shownIds.length + position.offset;
      // At most two of three consecutive places are for newcomers and videos outside the visitor's
      // taste.
      const following = positions.slice(position.offset + limit, position.offset + limit + 3);
      const [next = Infinity] = following.flatMap((candidate, at) =>
        isExplorationPosition(before + limit + at + 1)
          ? []
          : (rankedScore(candidate, seed, taste) ?? []),
      );
      const items = page.map((candidate) => ({
        id: candidate.id,
        reason: reasonOf(candidate, seed, taste, next),
      }));
      const offset = position.offset + items.length;
      return {
        items,
        next:
          offset < positions.length
            ? { phase: "ranked", offset }
            : { phase: "rest", afterTrend: null, afterId: null },
      };
    },
    /** Drops everything computed from a catalogue that has changed. */
    invalidate: () => snapshots.invalidate(),
  };
}
export type FeedRanker = ReturnType<typeof createBanditRanker>;

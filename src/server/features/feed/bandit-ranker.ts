import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FeedPage, FeedPosition, FeedRanker, FeedSession } from "./feed-ranker.ts";
import { listActorIds, listRestIds, listSeenAgainIds, listSeenIds } from "./feed.repository.ts";
import { createFeedSnapshots, type FeedSnapshot } from "./feed-snapshot.ts";
import { separateActors } from "./ranking.ts";
import { createSessionOrder, type SessionOrder } from "./session-order.ts";

const maxSessions = 1000;
/** Some hundred KB each. A session of a dropped one is ordered again from its seed. */
const maxSnapshots = 40;
const maxSeen = 5000;

/** The order of one session, with the snapshot whose candidates it names. */
interface Order {
  snapshot: FeedSnapshot;
  positions: SessionOrder;
}

/**
 * Thompson sampling over the rewards of each video (docs/ranking.md), in three phases: ranked videos
 * that this visitor has not seen; the rest of a large catalogue, by trend; seen ones, oldest first.
 */
export function createBanditRanker(deps: { db: Db; clock: Clock }): FeedRanker {
  const { db } = deps;
  const snapshots = createFeedSnapshots(deps);
  /** By session, the least recently used first. */
  const orders = new Map<string, Order>();
  let lastAdded: FeedSnapshot | null = null;

  async function createOrder(session: FeedSession): Promise<Order> {
    const snapshot = await snapshots.current();
    const { candidates, indexOf } = snapshot;
    const { visitorId, shownIds } = session;
    const seenIds =
      visitorId === null
        ? []
        : await listSeenIds(db, visitorId, new Date(session.startedAtMs), maxSeen);
    const lastShown = indexOf.get(shownIds.at(-1) ?? "");
    const positions = createSessionOrder(snapshot, session.seed, {
      excluded: [...seenIds, ...shownIds].flatMap((id) => indexOf.get(id) ?? []),
      lastActorIds: lastShown === undefined ? [] : (candidates[lastShown]?.actorIds ?? []),
      count: shownIds.length,
    });
    return { snapshot, positions };
  }

  async function orderOf(session: FeedSession): Promise<Order> {
    const key = `${session.seed}/${session.startedAtMs}/${session.visitorId ?? ""}/${session.shownIds.join()}`;
    const known = orders.get(key);
    const order = known ?? (await createOrder(session));
    orders.delete(key);
    orders.set(key, order);
    if (known === undefined) evict(order.snapshot);
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
    const kept = new Set(
      used.toSorted((a, b) => b.loadedAtMs - a.loadedAtMs).slice(0, maxSnapshots),
    );
    for (const [key, order] of orders) if (!kept.has(order.snapshot)) orders.delete(key);
  }

  /** The ids of a page, reordered so that no actor comes twice in a row where possible. */
  async function spread<T extends { id: string }>(rows: T[]): Promise<string[]> {
    const actors = await listActorIds(
      db,
      rows.map(({ id }) => id),
    );
    const items = rows.map(({ id }) => ({ id, actorIds: actors.get(id) ?? [] }));
    return separateActors(items, []).map(({ id }) => id);
  }

  async function listRest(
    session: FeedSession,
    position: Extract<FeedPosition, { phase: "rest" }>,
    limit: number,
  ): Promise<FeedPage> {
    const { snapshot } = await orderOf(session);
    const rows = await listRestIds(db, {
      excludedIds: [...snapshot.candidates.map(({ id }) => id), ...session.shownIds],
      visitorId: session.visitorId,
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
      ids: await spread(rows),
      next: isMore
        ? {
            phase: "rest",
            // JSON has no infinity: null stands for a video without plays.
            afterTrend: Number.isFinite(last.trend) ? last.trend : null,
            afterId: last.id,
          }
        : { phase: "seen", afterMs: null, afterId: null },
    };
  }

  async function listSeen(
    session: FeedSession,
    position: Extract<FeedPosition, { phase: "seen" }>,
    limit: number,
  ): Promise<FeedPage> {
    if (session.visitorId === null) return { ids: [], next: null };
    const rows = await listSeenAgainIds(db, {
      excludedIds: session.shownIds,
      visitorId: session.visitorId,
      before: new Date(session.startedAtMs),
      after:
        position.afterId === null ? null : { atMs: position.afterMs ?? 0, id: position.afterId },
      limit,
    });
    const last = rows.at(-1);
    const isMore = rows.length === limit && last !== undefined;
    return {
      ids: await spread(rows),
      next: isMore ? { phase: "seen", afterMs: last.atMs, afterId: last.id } : null,
    };
  }

  return {
    async list(session, position, limit) {
      if (position.phase === "rest") return listRest(session, position, limit);
      if (position.phase === "seen") return listSeen(session, position, limit);
      const { snapshot, positions } = await orderOf(session);
      const indexes = positions.slice(position.offset, position.offset + limit);
      const ids = Array.from(indexes, (index) => snapshot.candidates[index]?.id ?? "");
      const offset = position.offset + ids.length;
      return {
        ids,
        next:
          offset < positions.length
            ? { phase: "ranked", offset }
            : { phase: "rest", afterTrend: null, afterId: null },
      };
    },
    invalidate: () => snapshots.invalidate(),
  };
}

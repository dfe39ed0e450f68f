import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FeedPage, FeedPlace, FeedRanker, FeedSession } from "./feed-ranker.ts";
import {
  listActorIds,
  listCandidates,
  listRestIds,
  listRewards,
  listSeenAgainIds,
  listSeenIds,
  type Rewards,
} from "./feed.repository.ts";
import { orderForSession, separateActors, type Candidate } from "./ranking.ts";

/** What is ranked, as it was at one moment. Sessions keep theirs, so that their order stands still. */
interface Edition {
  candidates: Candidate[];
  rewards: Rewards;
  madeAtMs: number;
}

const editionMs = 60_000;
const rewardsMs = 120_000;
const mostSessions = 1000;
/** Some hundred KB each; a session of an older one is ordered anew by the same seed. */
const mostEditions = 40;
const mostSeen = 5000;

/** The order of one session, as places in its edition's candidates. */
interface Order {
  edition: Edition;
  places: Uint16Array;
}

/**
 * Thompson sampling over what is known of each video (design 9), in three phases: what this visitor
 * has not seen, ranked; the rest of a large catalogue, by trend; what was seen, longest ago first.
 */
export function createBanditRanker(deps: { db: Db; clock: Clock }): FeedRanker {
  const { db, clock } = deps;
  let edition: Promise<Edition> | null = null;
  let isRenewing = false;
  let rewards: { value: Rewards; atMs: number } | null = null;
  /** By session; the least recently used goes first. */
  const orders = new Map<string, Order>();

  async function makeEdition(): Promise<Edition> {
    const madeAtMs = clock.now();
    if (rewards === null || madeAtMs - rewards.atMs > rewardsMs) {
      rewards = { value: await listRewards(db, clock.date()), atMs: madeAtMs };
    }
    const { value } = rewards;
    const candidates = await listCandidates(db);
    for (const candidate of candidates) {
      const known = value.byVideo.get(candidate.id);
      candidate.rewardSum = known?.sum ?? 0;
      candidate.rewardCount = known?.count ?? 0;
    }
    return { candidates, rewards: value, madeAtMs };
  }

  /** The current edition; an old one serves while the next is made. */
  async function currentEdition(): Promise<Edition> {
    if (edition === null) {
      const making = makeEdition();
      edition = making;
      making.catch(() => {
        if (edition === making) edition = null;
      });
    }
    const current = await edition;
    if (clock.now() - current.madeAtMs > editionMs && !isRenewing) {
      isRenewing = true;
      const old = edition;
      makeEdition()
        .then((next) => {
          if (edition === old) edition = Promise.resolve(next);
        })
        // The old one goes on serving; the next call tries again.
        .catch(() => undefined)
        .finally(() => {
          isRenewing = false;
        });
    }
    return current;
  }

  async function makeOrder(session: FeedSession): Promise<Order> {
    const current = await currentEdition();
    const { visitorId } = session;
    const seenIds =
      visitorId === null
        ? []
        : await listSeenIds(db, visitorId, new Date(session.startedAtMs), mostSeen);
    const excluded = new Set([...seenIds, ...session.shownIds]);
    const indexOf = new Map(current.candidates.map((candidate, index) => [candidate.id, index]));
    const lastShown = session.shownIds.at(-1);
    const before = current.candidates[indexOf.get(lastShown ?? "") ?? -1]?.actorIds ?? [];
    const ordered = orderForSession(
      current.candidates.filter(({ id }) => !excluded.has(id)),
      current.rewards.means,
      session,
      { before, offset: session.shownIds.length },
    );
    return {
      edition: current,
      places: Uint16Array.from(ordered, ({ id }) => indexOf.get(id) ?? 0),
    };
  }

  async function orderOf(session: FeedSession): Promise<Order> {
    const key = `${session.seed}/${session.startedAtMs}/${session.visitorId ?? ""}/${session.shownIds.join()}`;
    const known = orders.get(key);
    const order = known ?? (await makeOrder(session));
    orders.delete(key);
    orders.set(key, order);
    if (known === undefined) makeRoom();
    return order;
  }

  function makeRoom(): void {
    for (const oldest of orders.keys()) {
      if (orders.size <= mostSessions) break;
      orders.delete(oldest);
    }
    const editions = [...new Set([...orders.values()].map((order) => order.edition))];
    if (editions.length <= mostEditions) return;
    const kept = new Set(
      editions.toSorted((a, b) => b.madeAtMs - a.madeAtMs).slice(0, mostEditions),
    );
    for (const [key, order] of orders) if (!kept.has(order.edition)) orders.delete(key);
  }

  /** A page out of a list that knows nothing of actors. */
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
    place: Extract<FeedPlace, { phase: "rest" }>,
    limit: number,
  ): Promise<FeedPage> {
    const { edition: own } = await orderOf(session);
    const rows = await listRestIds(db, {
      excludedIds: [...own.candidates.map(({ id }) => id), ...session.shownIds],
      visitorId: session.visitorId,
      before: new Date(session.startedAtMs),
      after:
        place.afterId === null ? null : { trend: place.afterTrend ?? -Infinity, id: place.afterId },
      limit,
    });
    const last = rows.at(-1);
    const isMore = rows.length === limit && last !== undefined;
    return {
      ids: await spread(rows),
      next: isMore
        ? {
            phase: "rest",
            // JSON has no infinity: null stands for a video that nobody has watched.
            afterTrend: Number.isFinite(last.trend) ? last.trend : null,
            afterId: last.id,
          }
        : { phase: "seen", afterMs: null, afterId: null },
    };
  }

  async function listSeen(
    session: FeedSession,
    place: Extract<FeedPlace, { phase: "seen" }>,
    limit: number,
  ): Promise<FeedPage> {
    if (session.visitorId === null) return { ids: [], next: null };
    const rows = await listSeenAgainIds(db, {
      excludedIds: session.shownIds,
      visitorId: session.visitorId,
      before: new Date(session.startedAtMs),
      after: place.afterId === null ? null : { atMs: place.afterMs ?? 0, id: place.afterId },
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
    async list(session, place, limit) {
      if (place.phase === "rest") return listRest(session, place, limit);
      if (place.phase === "seen") return listSeen(session, place, limit);
      const { edition: own, places } = await orderOf(session);
      const ids = [...places.subarray(place.offset, place.offset + limit)].flatMap(
        (index) => own.candidates[index]?.id ?? [],
      );
      const offset = place.offset + ids.length;
      return {
        ids,
        next:
          offset < places.length
            ? { phase: "ranked", offset }
            : { phase: "rest", afterTrend: null, afterId: null },
      };
    },
    forget() {
      edition = null;
    },
  };
}

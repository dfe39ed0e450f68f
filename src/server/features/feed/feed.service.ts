import {
  feedHeadMax,
  type FeedList,
  type FeedMark,
  type FeedQuery,
} from "../../../contract/feed.ts";
import { limits } from "../../../contract/limits.ts";
import type { Db } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { newToken } from "../../lib/ids.ts";
import type { VideosService } from "../library/videos.service.ts";
import { decodeFeedCursor, encodeFeedCursor, type FeedCursor } from "./feed-cursor.ts";
import { firstPlace, type FeedPlace, type FeedRanker, type FeedSession } from "./feed-ranker.ts";
import { listMarks } from "./feed.repository.ts";

export interface FeedService {
  /**
   * A page of the feed for this visitor (null: nobody knows them). Begins a session without a
   * cursor. @throws AppError invalid for a cursor that is none.
   */
  list(query: FeedQuery, visitorId: string | null): Promise<FeedList>;
  /**
   * What the page shows before the visitor is known: the same for everybody within a minute, so
   * that it can be cached. With a slug, that clip comes first. @throws AppError not_found.
   */
  head(slug: string | null): Promise<FeedList>;
  /** What visitors may see has changed. */
  forget(): void;
}

const headMs = 60_000;

export function createFeedService(deps: {
  db: Db;
  clock: Clock;
  ranker: FeedRanker;
  videos: Pick<VideosService, "listByIds" | "get" | "getId">;
}): FeedService {
  const { db, clock, ranker, videos } = deps;
  const visitor = { isAdmin: false };

  /** Ids of what the page shows already; what has vanished meanwhile is nobody's concern. */
  async function shownIdsOf(shown: string | undefined): Promise<string[]> {
    const names = (shown ?? "").split(",").filter((name) => name !== "");
    if (names.length > feedHeadMax) {
      throw new AppError("invalid", `At most ${feedHeadMax} clips can be shown already.`, {
        issues: [{ path: "shown", message: `names at most ${feedHeadMax} videos` }],
      });
    }
    const ids = await Promise.all(
      names.map((name) =>
        videos.getId(name, visitor).catch((error: unknown) => {
          if (error instanceof AppError && error.code === "not_found") return [];
          throw error;
        }),
      ),
    );
    return ids.flat();
  }

  async function begin(shown: string | undefined): Promise<FeedCursor> {
    return {
      session: {
        seed: newToken(9),
        startedAtMs: clock.now(),
        shownIds: await shownIdsOf(shown),
      },
      place: firstPlace,
    };
  }

  /** Fills one page across phases and over videos that were taken down a moment ago. */
  async function collect(
    session: FeedSession,
    from: FeedPlace,
    limit: number,
  ): Promise<{ list: FeedList["videos"]; next: FeedPlace | null }> {
    const list: FeedList["videos"] = [];
    let next: FeedPlace | null = from;
    while (next !== null && list.length < limit) {
      const page = await ranker.list(session, next, limit - list.length);
      const { likedIds, favoriteIds } = await listMarks(db, session.visitorId, page.ids);
      const found = await videos.listByIds(page.ids, { isAdmin: false }, likedIds);
      list.push(...found.map((video) => ({ ...video, isFavorite: favoriteIds.has(video.id) })));
      next = page.next;
    }
    return { list, next };
  }

  async function marksOf(ids: readonly string[], visitorId: string | null): Promise<FeedMark[]> {
    const { likedIds, favoriteIds } = await listMarks(db, visitorId, ids);
    return ids.map((id) => ({ id, isLiked: likedIds.has(id), isFavorite: favoriteIds.has(id) }));
  }

  return {
    async list(query, visitorId) {
      const { session, place } =
        query.cursor === undefined ? await begin(query.shown) : decodeFeedCursor(query.cursor);
      const { list, next } = await collect(
        { ...session, visitorId },
        place,
        query.limit ?? limits.feedPageSize,
      );
      return {
        videos: list,
        nextCursor: next === null ? null : encodeFeedCursor({ session, place: next }),
        shown: query.cursor === undefined ? await marksOf(session.shownIds, visitorId) : [],
      };
    },

    async head(slug) {
      const first =
        slug === null ? [] : [{ ...(await videos.get(slug, visitor)), isFavorite: false }];
      const minute = Math.floor(clock.now() / headMs);
      const session: FeedSession = {
        seed: `head-${minute}`,
        startedAtMs: minute * headMs,
        visitorId: null,
        shownIds: first.map(({ id }) => id),
      };
      const { list } = await collect(session, firstPlace, feedHeadMax - first.length);
      // The browser asks for what comes next itself: then the visitor is known.
      return { videos: [...first, ...list], nextCursor: null, shown: [] };
    },

    forget: () => ranker.forget(),
  };
}

import {
  feedHeadMax,
  type FeedList,
  type FeedMark,
  type FeedQuery,
  type FeedVideo,
} from "#contract/lists/feed.ts";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newToken } from "#server/lib/ids.ts";
import {
  videoOf,
  videoText,
  type ShownVideo,
} from "#server/features/videos/video-store/shown-video.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { decodeFeedCursor, encodeFeedCursor, type FeedCursor } from "./feed-cursor.ts";
import {
  firstPosition,
  type FeedPosition,
  type FeedRanker,
  type FeedSession,
  type FeedSteering,
} from "./feed-ranker.ts";
import { whyFields, whyJson } from "#server/lib/why-fields.ts";
import type { VideoReason } from "#contract/videos/video-reasons.ts";
import { shownReason } from "./feed-reasons.ts";
import { listMarks } from "./feed.repository.ts";

export interface FeedService {
  /**
   * A page of the feed; begins a session where there is no cursor.
   * @param visitorId null for a visitor without a cookie.
   * @throws AppError invalid for a cursor that this server did not issue.
   */
  list(query: FeedQuery, visitorId: string | null): Promise<FeedList>;
  /** The JSON of the same. */
  listText(query: FeedQuery, visitorId: string | null): Promise<string>;
  /**
   * What the page shows before the visitor is known: the same for all visitors within a minute, so
   * that it can be cached. With a slug, that clip comes first. @throws AppError not_found.
   */
  head(slug: string | null): Promise<FeedList>;
  /** What visitors may see has changed: drops what was computed from it. */
  invalidate(): void;
}

const headMs = 60_000;

/** A clip with what this visitor has done with it, and why it stands where it does. */
interface FeedItem {
  video: ShownVideo;
  reason: VideoReason;
  isLiked: boolean;
  isFavorite: boolean;
}

const feedVideoOf = ({ video, isLiked, isFavorite, reason }: FeedItem): FeedVideo => ({
  ...videoOf(video, isLiked),
  isFavorite,
  ...whyFields(reason),
});

/** The name of a label of this video, a tag as visitors see it. */
function labelNameOf(video: ShownVideo, labelId: string): string | null {
  const { tags, actors, categories } = videoOf(video);
  const tag = tags.find((each) => each.tag.id === labelId);
  if (tag !== undefined) return `#${tag.tag.name}`;
  const labels = [...actors.map(({ actor }) => actor), ...categories.map((each) => each.category)];
  return labels.find(({ id }) => id === labelId)?.name ?? null;
}

const ids = (list: string | undefined): string[] =>
  (list ?? "").split(",").filter((id) => isUuid(id));

/** What the browser says of what its visitor wants. */
const steeringOf = ({ personal, not, less }: FeedQuery): FeedSteering => ({
  isPersonal: personal ?? true,
  notIds: ids(not),
  lessTagIds: ids(less),
});
const noSteering = steeringOf({});

export function createFeedService(deps: {
  db: Db;
  clock: Clock;
  ranker: FeedRanker;
  videos: Pick<VideosService, "listListed" | "get" | "getId">;
}): FeedService {
  const { db, clock, ranker, videos } = deps;
  const visitor = { isAdmin: false };

  /** Ids of what the page shows already, without videos that are no longer listed. */
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
      position: firstPosition,
    };
  }

  /** Fills one page across phases, and skips videos that were unlisted a moment ago. */
  async function collect(
    session: FeedSession,
    from: FeedPosition,
    limit: number,
  ): Promise<{ list: FeedItem[]; next: FeedPosition | null }> {
    const list: FeedItem[] = [];
    let next: FeedPosition | null = from;
    while (next !== null && list.length < limit) {
      const page = await ranker.list(session, next, limit - list.length);
      const pageIds = page.items.map(({ id }) => id);
      const reasons = new Map(page.items.map(({ id, reason }) => [id, reason]));
      const [found, { likedIds, favoriteIds }] = await Promise.all([
        videos.listListed(pageIds),
        listMarks(db, session.visitorId, pageIds),
      ]);
      for (const video of found) {
        const { id } = video.stored;
        const reason = shownReason(
          reasons.get(id) ?? { kind: "exploration" },
          (labelId) => labelNameOf(video, labelId),
          clock.now(),
        );
        list.push({ video, isLiked: likedIds.has(id), isFavorite: favoriteIds.has(id), reason });
      }
      next = page.next;
    }
    return { list, next };
  }

  async function marksOf(ids: readonly string[], visitorId: string | null): Promise<FeedMark[]> {
    const { likedIds, favoriteIds } = await listMarks(db, visitorId, ids);
    return ids.map((id) => ({ id, isLiked: likedIds.has(id), isFavorite: favoriteIds.has(id) }));
  }

  async function listItems(
    query: FeedQuery,
    visitorId: string | null,
  ): Promise<Omit<FeedList, "videos"> & { list: FeedItem[] }> {
    const { session, position } =
      query.cursor === undefined ? await begin(query.shown) : decodeFeedCursor(query.cursor);
    const { list, next } = await collect(
      { ...session, visitorId, steering: steeringOf(query) },
      position,
      query.limit ?? limits.feedPageSize,
    );
    return {
      list,
      nextCursor: next === null ? null : encodeFeedCursor({ session, position: next }),
      shown: query.cursor === undefined ? await marksOf(session.shownIds, visitorId) : [],
    };
  }

  return {
    async list(query, visitorId) {
      const { list, ...rest } = await listItems(query, visitorId);
      return { videos: list.map(feedVideoOf), ...rest };
    },

    async listText(query, visitorId) {
      const { list, ...rest } = await listItems(query, visitorId);
      const texts = list.map(({ video, isLiked, isFavorite, reason }) =>
        videoText(video, isLiked, `,"isFavorite":${isFavorite}${whyJson(reason)}`),
      );
      return `{"videos":[${texts.join(",")}],${JSON.stringify(rest).slice(1)}`;
    },

    async head(slug) {
      noteShown("videos");
      const first =
        slug === null
          ? []
          : [{ ...(await videos.get(slug, visitor)), isFavorite: false, why: null }];
      const minute = Math.floor(clock.now() / headMs);
      const session: FeedSession = {
        // Each clip has an order of its own, so that visitors without scripts do not go in a circle.
        seed: `head-${minute}-${slug ?? ""}`,
        startedAtMs: minute * headMs,
        visitorId: null,
        shownIds: first.map(({ id }) => id),
        steering: noSteering,
      };
      const { list } = await collect(session, firstPosition, feedHeadMax - first.length);
      // The browser requests what comes next itself: then the visitor is known.
      return { videos: [...first, ...list.map(feedVideoOf)], nextCursor: null, shown: [] };
    },

    invalidate: () => ranker.invalidate(),
  };
}

import { z } from "zod";
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
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { reasonFields } from "#server/lib/video-reasons.ts";
import type { Video } from "#contract/videos/videos.ts";
import { firstPosition, shownReason, type FeedPosition, type FeedRanker } from "./bandit-ranker.ts";
import { listLockedIds, listMarks } from "./feed.repository.ts";
import type { FeedSession, FeedSteering } from "./taste.ts";

const finite = z.number().refine(Number.isFinite);
const feedPosition: z.ZodType<FeedPosition> = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("ranked"), offset: z.number().int().min(0).max(100_000) }),
  z.object({
    phase: z.literal("rest"),
    afterTrend: finite.nullable(),
    afterId: z.uuid().nullable(),
  }),
  z.object({
    phase: z.literal("seen"),
    afterMs: finite.nullable(),
    afterId: z.uuid().nullable(),
  }),
]);

const cursor = z.object({
  seed: z.string().min(1).max(40),
  at: z.number().int().min(0).max(8.64e15),
  shown: z.array(z.uuid()).max(feedHeadMax),
  place: feedPosition,
  served: z.number().int().min(0).max(1_000_000).default(0),
});

/**
 * Session and its next position. Doesn't include the visitor, because the cookie identifies them,
 * or their preferences, because the page sends them with every request.
 */
interface FeedCursor {
  session: Omit<FeedSession, "visitorId" | "steering" | "isMember">;
  position: FeedPosition;
  /** Number of clips so far, without locked ones. */
  served: number;
}

function encodeFeedCursor({ session, position, served }: FeedCursor): string {
  const value: z.infer<typeof cursor> = {
    seed: session.seed,
    at: session.startedAtMs,
    shown: [...session.shownIds],
    place: position,
    served,
  };
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** @throws AppError invalid unless this server issued it. */
function decodeFeedCursor(text: string): FeedCursor {
  try {
    const value = cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return {
      session: { seed: value.seed, startedAtMs: value.at, shownIds: value.shown },
      position: value.place,
      served: value.served,
    };
  } catch {
    throw new AppError("invalid", "The cursor isn't valid for this list.", {
      issues: [{ path: "cursor", message: "isn't valid for this list" }],
    });
  }
}

const headMs = 60_000;

/** Number of clips before a locked one. */
const openClips = 9;

/** Returns the name of this video's label, a tag with its `#`. */
function labelNameOf({ tags, actors, categories }: Video, labelId: string): string | null {
  const tag = tags.find((each) => each.tag.id === labelId);
  if (tag !== undefined) return `#${tag.tag.name}`;
  const labels = [...actors.map(({ actor }) => actor), ...categories.map((each) => each.category)];
  return labels.find(({ id }) => id === labelId)?.name ?? null;
}

const ids = (list: string | undefined): string[] =>
  (list ?? "").split(",").filter((id) => isUuid(id));

/** Converts the preferences sent by the browser. */
const steeringOf = ({ personal, not, less }: FeedQuery): FeedSteering => ({
  isPersonal: personal ?? true,
  notIds: ids(not),
  lessTagIds: ids(less),
});
const noSteering = steeringOf({});

interface PhaseQuery {
  session: FeedSession;
  position: FeedPosition;
  limit: number;
}

const visitor = { isAdmin: false };

/** Returns the ids already shown by the page, without videos that are no longer listed. */
async function listShownIds(videos: VideosService, shown: string | undefined): Promise<string[]> {
  const names = (shown ?? "").split(",").filter((name) => name !== "");
  if (names.length > feedHeadMax) {
    throw new AppError("invalid", `shown can list at most ${feedHeadMax} videos.`, {
      issues: [{ path: "shown", message: `can list at most ${feedHeadMax} videos` }],
    });
  }
  const ids = await Promise.all(
    names.map((name) =>
      videos.getId(name, visitor).catch((error: unknown) => {
        const skipped = ["not_found", "blocked_country"];
        if (error instanceof AppError && skipped.includes(error.code)) return [];
        throw error;
      }),
    ),
  );
  return ids.flat();
}

export function createFeedService(deps: {
  db: Db;
  clock: Clock;
  ranker: FeedRanker;
  videos: VideosService;
  createPipeline: CreatePipeline;
  /** Returns whether the feed also shows some locked clips. */
  showsLockedClips?: () => Promise<boolean>;
}) {
  const { db, clock, ranker, videos, createPipeline } = deps;
  const { showsLockedClips = async () => false } = deps;

  async function begin(shown: string | undefined): Promise<FeedCursor> {
    return {
      session: {
        seed: newToken(9),
        startedAtMs: clock.now(),
        shownIds: await listShownIds(videos, shown),
      },
      position: firstPosition,
      served: 0,
    };
  }

  /** Returns clips of this list that the visitor can't play. They show how to become a member. */
  const listLocked = createPipeline({
    skeleton: async (page: Parameters<typeof listLockedIds>[1]) => ({
      ids: await listLockedIds(db, page),
    }),
    present: (clips) => clips.map((clip): FeedVideo => ({ ...clip, isFavorite: false, why: null })),
  });

  /** Puts a locked clip after every `openClips` others. */
  async function addLocked(
    clips: readonly FeedVideo[],
    served: number,
    excludedIds: readonly string[],
  ): Promise<FeedVideo[]> {
    const offset = Math.floor(served / openClips);
    const count = Math.floor((served + clips.length) / openClips) - offset;
    if (count === 0) return [...clips];
    const locked = await listLocked({ offset, limit: count, excludedIds }, visitor);
    return clips.flatMap((clip, at) => {
      const place = served + at + 1;
      const added = place % openClips === 0 ? locked[place / openClips - 1 - offset] : undefined;
      return added === undefined ? [clip] : [clip, added];
    });
  }

  /** Returns the clips that one phase has for this page. */
  const listPhase = createPipeline({
    async skeleton({ session, position, limit }: PhaseQuery) {
      const { items, next } = await ranker.list(session, position, limit);
      return {
        ids: items.map(({ id }) => id),
        reasons: new Map(items.map(({ id, reason }) => [id, reason])),
        next,
      };
    },
    async reasons(found, { ids, reasons }, { query }) {
      const { likedIds, favoriteIds } = await listMarks(db, query.session.visitorId, ids);
      return (video) => ({
        isLiked: likedIds.has(video.id),
        isFavorite: favoriteIds.has(video.id),
        ...reasonFields(
          shownReason(
            reasons.get(video.id) ?? { kind: "exploration" },
            (labelId) => labelNameOf(video, labelId),
            clock.now(),
          ),
        ),
      });
    },
    present: (clips: FeedVideo[], { next }) => ({ clips, next }),
  });

  /** Fills one page from several phases, and replaces clips that were unlisted a moment ago. */
  async function collect(
    session: FeedSession,
    from: FeedPosition,
    limit: number,
  ): Promise<{ clips: FeedVideo[]; next: FeedPosition | null }> {
    const clips: FeedVideo[] = [];
    let position: FeedPosition | null = from;
    while (position !== null && clips.length < limit) {
      const viewer = { isAdmin: false, isMember: session.isMember };
      const page = await listPhase({ session, position, limit: limit - clips.length }, viewer);
      clips.push(...page.clips);
      position = page.next;
    }
    return { clips, next: position };
  }

  async function marksOf(ids: readonly string[], visitorId: string | null): Promise<FeedMark[]> {
    const { likedIds, favoriteIds } = await listMarks(db, visitorId, ids);
    return ids.map((id) => ({ id, isLiked: likedIds.has(id), isFavorite: favoriteIds.has(id) }));
  }

  return {
    /**
     * Returns a page of the feed. Starts a session if there is no cursor.
     * @param visitorId null for a visitor without a cookie.
     * @param isMember true to include the videos that only members may play.
     * @throws AppError invalid for a cursor that this server didn't issue.
     */
    async list(query: FeedQuery, visitorId: string | null, isMember = false): Promise<FeedList> {
      const { session, position, served } =
        query.cursor === undefined ? await begin(query.shown) : decodeFeedCursor(query.cursor);
      const limit = query.limit ?? limits.feedPageSize;
      const showsLocked = !isMember && (await showsLockedClips());
      const lockedMax = showsLocked
        ? Math.floor((served + limit) / openClips) - Math.floor(served / openClips)
        : 0;
      const steering = steeringOf(query);
      const { clips, next } = await collect(
        { ...session, visitorId, steering, isMember },
        position,
        Math.max(1, limit - lockedMax),
      );
      const excludedIds = [...session.shownIds, ...steering.notIds];
      return {
        videos: showsLocked ? await addLocked(clips, served, excludedIds) : clips,
        nextCursor:
          next === null
            ? null
            : encodeFeedCursor({ session, position: next, served: served + clips.length }),
        shown: query.cursor === undefined ? await marksOf(session.shownIds, visitorId) : [],
      };
    },

    /**
     * Returns the clips shown before the visitor is known. They are the same for all visitors
     * within a minute, so that they can be cached. With a slug, that clip comes first.
     * @throws AppError not_found.
     */
    async head(slug: string | null): Promise<FeedList> {
      noteShown("videos");
      const first =
        slug === null
          ? []
          : [{ ...(await videos.get(slug, visitor)), isFavorite: false, why: null }];
      const minute = Math.floor(clock.now() / headMs);
      const session: FeedSession = {
        // Each clip has its own order, so that visitors without scripts don't go round in circles.
        seed: `head-${minute}-${slug ?? ""}`,
        startedAtMs: minute * headMs,
        visitorId: null,
        shownIds: first.map(({ id }) => id),
        steering: noSteering,
        isMember: false,
      };
      const { clips } = await collect(session, firstPosition, feedHeadMax - first.length);
      // The browser requests the next clips itself, once the visitor is known.
      return { videos: [...first, ...clips], nextCursor: null, shown: [] };
    },

    /**
     * Drops everything computed from the catalogue, after the set of visible videos has changed.
     */
    invalidate: (): void => ranker.invalidate(),
  };
}

export type FeedService = ReturnType<typeof createFeedService>;

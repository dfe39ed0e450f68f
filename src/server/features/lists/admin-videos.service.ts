import { limits } from "../../../contract/limits.ts";
import type { AdminVideoFilter, AdminVideoQuery } from "../../../contract/admin-videos.ts";
import type { TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { Video, VideoList } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit, type Actor } from "../audit/audit.service.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import type { TextSearch } from "./text-search.ts";
import type { VideosService } from "../library/videos.service.ts";
import {
  countAdminVideos,
  listAdminVideoIds,
  type ResolvedFilter,
} from "./admin-videos.repository.ts";

export interface AdminVideosService {
  list(query: AdminVideoQuery): Promise<VideoList>;
  /** Null where nothing matches: a label that does not exist, words that occur nowhere. */
  resolve(filter: AdminVideoFilter): Promise<ResolvedFilter | null>;
  /**
   * Plans the publication, or takes the plan back with null; a time that has passed publishes within
   * a moment. @throws AppError not_found; conflict where the video is published already.
   */
  schedule(idOrSlug: string, publishAt: Date | null, actor: Actor): Promise<Video>;
}

export function createAdminVideosService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  catalog: CatalogService;
  videos: VideosService;
  search: TextSearch;
}): AdminVideosService {
  const { db, clock, queue, catalog, videos } = deps;

  async function resolve(filter: AdminVideoFilter): Promise<ResolvedFilter | null> {
    const { search, state, premium } = filter;
    const labelIds: Partial<Record<TaxonomyKind, string>> = {};
    const asked = { categories: filter.category, tags: filter.tag, actors: filter.actor };
    for (const kind of ["categories", "tags", "actors"] as const) {
      const name = asked[kind];
      if (name === undefined || name === "") continue;
      const id = await catalog.findId(kind, name);
      if (id === null) return null;
      labelIds[kind] = id;
    }
    if (search === undefined || search === "") return { state, premium, labelIds };
    // The same search as the one of the plain list: a filter beside it only narrows what it finds.
    const match = await deps.search.understand(search, "all");
    return match === null ? null : { state, premium, labelIds, match };
  }

  return {
    resolve,

    async list(query) {
      const filter = await resolve(query);
      if (filter === null) return { videos: [], total: 0, nextCursor: null };
      const sort = query.sort ?? "created";
      const isDescending = (query.order ?? "desc") === "desc";
      const page = { limit: query.limit ?? limits.adminPageSize, offset: query.offset ?? 0 };
      const [ids, total] = await Promise.all([
        listAdminVideoIds(db, filter, { sort, isDescending }, page),
        countAdminVideos(db, filter),
      ]);
      return { videos: await videos.listByIds(ids, { isAdmin: true }), total, nextCursor: null };
    },

    async schedule(idOrSlug, publishAt, actor) {
      const id = await videos.getId(idOrSlug, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("videos")
          .select(["is_published", "publish_at", "version"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) throw new AppError("not_found", "Video not found");
        if (row.is_published && publishAt !== null) {
          throw new AppError("conflict", "This video is published already.");
        }
        await trx
          .updateTable("videos")
          .set({
            publish_at: publishAt,
            publish_planned_by: publishAt === null ? null : actor.user.id,
            version: row.version + 1,
            updated_at: clock.date(),
          })
          .where("id", "=", id)
          .execute();
        await recordAudit(trx, actor, {
          action: publishAt === null ? "video.unscheduled" : "video.scheduled",
          entity: "video",
          entityId: id,
          before: { publishAt: row.publish_at?.toISOString() ?? null },
          after: { publishAt: publishAt?.toISOString() ?? null },
        });
        if (publishAt !== null) {
          // Runs at the minute; the schedule of every minute is for what a stop made it miss.
          const startAfterS = Math.max(0, (publishAt.getTime() - clock.now()) / 1000);
          await queue.enqueue(
            trx,
            "admin.publish-planned",
            {},
            { key: `${id}/${publishAt.getTime()}`, startAfterS },
          );
        }
      });
      return videos.get(id, { isAdmin: true });
    },
  };
}

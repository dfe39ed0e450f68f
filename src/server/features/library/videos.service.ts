import { taxonomyKinds } from "../../../contract/taxonomy.ts";
import type { Video, VideoUpdate } from "../../../contract/videos.ts";
import type { Db, Trx } from "../../db/connection.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Viewer } from "../../http/viewer.ts";
import type { Actor } from "../../lib/actor.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Storage } from "../../storage/storage.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import { sourceKey, videoFolder } from "../../storage/media-address.ts";
import { midrollTimes } from "./midroll.ts";
import { presentVideo } from "./videos.presenter.ts";
import * as repository from "./videos.repository.ts";

export interface VideosService {
  /** @throws AppError not_found for the unknown, and for visitors what they may not see. */
  get(idOrSlug: string, viewer: Viewer): Promise<Video>;
  /** Only the id, with the same rule. */
  getId(idOrSlug: string, viewer: Viewer): Promise<string>;
  /** Seconds at which a mid-roll may come, ascending, inside the duration. */
  listMidrollTimes(idOrSlug: string, viewer: Viewer): Promise<number[]>;
  /** The videos of these ids that the viewer may see, in the order of the ids. */
  listByIds(ids: string[], viewer: Viewer, likedIds?: Set<string>): Promise<Video[]>;
  /** @throws AppError not_found; edit_conflict where `version` is not the current one. */
  update(idOrSlug: string, change: VideoUpdate, actor: Actor): Promise<Video>;
  /** The media goes too. @throws AppError not_found. */
  remove(idOrSlug: string, actor: Actor): Promise<void>;
  /** Puts a failed video back into processing. @throws AppError not_found, conflict. */
  retry(idOrSlug: string, actor: Actor): Promise<Video>;
}

const notFound = () => new AppError("not_found", "Video not found");

export function createVideosService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  catalog: CatalogService;
  storage: Storage;
  queue: JobQueue;
  changed: () => Promise<void>;
  /** The operator's mid-roll times for videos that have none of their own; null for the fallback. */
  findDefaultMidrolls: () => Promise<number[] | null>;
}): VideosService {
  const { db, clock, logger, catalog, storage, queue, changed, findDefaultMidrolls } = deps;

  async function getRow(idOrSlug: string, viewer: Viewer): Promise<repository.VideoRow> {
    const row = await repository.findVideoRow(db, idOrSlug);
    if (row === null) throw notFound();
    if (!viewer.isAdmin && !row.is_listed) throw notFound();
    return row;
  }

  async function presentById(id: string, viewer: Viewer): Promise<Video> {
    const [hydrated] = await repository.hydrateVideos(db, [id]);
    if (hydrated === undefined) throw notFound();
    return presentVideo(hydrated, viewer);
  }

  async function relabel(
    trx: Trx,
    videoId: string,
    change: Pick<VideoUpdate, "categories" | "tags" | "actors">,
  ): Promise<void> {
    for (const kind of taxonomyKinds) {
      const names = change[kind];
      if (names === undefined) continue;
      await catalog.replaceLabels(trx, kind, videoId, names);
    }
  }

  return {
    async get(idOrSlug, viewer) {
      const row = await getRow(idOrSlug, viewer);
      return presentById(row.id, viewer);
    },

    async getId(idOrSlug, viewer) {
      return (await getRow(idOrSlug, viewer)).id;
    },

    async listMidrollTimes(idOrSlug, viewer) {
      const row = await getRow(idOrSlug, viewer);
      return midrollTimes(row.duration_s, row.midroll_times ?? (await findDefaultMidrolls()));
    },

    async listByIds(ids, viewer, likedIds) {
      const videos = await repository.hydrateVideos(db, ids);
      return videos
        .filter(({ row }) => viewer.isAdmin || row.is_listed)
        .map((item) =>
          presentVideo(item, { ...viewer, isLiked: likedIds?.has(item.row.id) ?? false }),
        );
    },

    async update(idOrSlug, change, actor) {
      const { id } = await getRow(idOrSlug, { isAdmin: true });
      const before = await presentById(id, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        const row = await repository.lockVideoRow(trx, id);
        if (row === null) throw notFound();
        if (change.version !== undefined && change.version !== row.version) {
          throw new AppError(
            "edit_conflict",
            "Somebody else changed this video in the meantime. Load it again and repeat your change.",
          );
        }
        const isPublishing = change.isPublished === true && row.published_at === null;
        await repository.updateVideo(trx, id, {
          ...(change.title === undefined ? {} : { title: change.title }),
          ...(change.description === undefined ? {} : { description: change.description || null }),
          ...(change.isPublished === undefined ? {} : { is_published: change.isPublished }),
          // Publishing by hand overtakes a plan.
          ...(change.isPublished === true ? { publish_at: null } : {}),
          ...(change.isPremium === undefined ? {} : { is_premium: change.isPremium }),
          ...(isPublishing ? { published_at: clock.date() } : {}),
          version: row.version + 1,
        });
        await relabel(trx, id, change);
        await recordAudit(trx, actor, {
          action: "video.updated",
          entity: "video",
          entityId: id,
          before,
          after: change,
        });
      });
      await changed();
      return presentById(id, { isAdmin: true });
    },

    async remove(idOrSlug, actor) {
      const row = await getRow(idOrSlug, { isAdmin: true });
      const before = await presentById(row.id, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        await repository.deleteVideo(trx, row.id);
        await recordAudit(trx, actor, {
          action: "video.deleted",
          entity: "video",
          entityId: row.id,
          before,
        });
      });
      await changed();
      // The row is gone: nothing leads to the files any more, and a sweep takes what stays behind.
      try {
        await storage.deletePrefix(videoFolder(row.media_token));
        await storage.delete(sourceKey(row.id));
      } catch (error) {
        logger.warn(
          { err: error, videoId: row.id },
          "files of a deleted video stay until the sweep",
        );
      }
    },

    async retry(idOrSlug, actor) {
      const { id } = await getRow(idOrSlug, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        const row = await repository.lockVideoRow(trx, id);
        if (row === null) throw notFound();
        if (row.status !== "failed" && row.failure_reason === null) {
          throw new AppError("conflict", "This video has not failed; there is nothing to retry.");
        }
        await repository.updateVideo(trx, id, {
          status: "processing",
          failure_reason: null,
          failures: 0,
          progress: 0,
        });
        await queue.enqueue(trx, "video.publish", { videoId: id }, { key: id });
        await recordAudit(trx, actor, { action: "video.retried", entity: "video", entityId: id });
      });
      await changed();
      return presentById(id, { isAdmin: true });
    },
  };
}

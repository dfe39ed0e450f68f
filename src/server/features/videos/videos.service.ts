import type { SameFile, Video } from "#contract/videos/videos.ts";
import { videoTag } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { findRedirect } from "#server/db/slug-redirects.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { requireVideo } from "#server/http/access/video-gate.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listSameFiles } from "./files/same-files.ts";
import { midrollTimes, type MidrollRules } from "./midroll.ts";
import { hydrateVideos } from "./query/video-list.repository.ts";
import { presentVideo } from "./videos.presenter.ts";
import * as repository from "./videos.repository.ts";

const notFound = () => new AppError("not_found", "Video not found");

/** Reads single videos, limited to what the viewer may see. Lists are in `query`. */
export function createVideosService(deps: {
  db: Db;
  /** Database for visitors, possibly a replica. */
  reads?: Db;
  storage: Pick<Storage, "openRead">;
  /** Returns the rules for videos without their own mid-roll times. */
  findMidrollRules: () => Promise<MidrollRules>;
}) {
  const { db, reads = db, findMidrollRules } = deps;
  const sourceFor = (viewer: Viewer) => (viewer.isAdmin ? db : reads);

  async function findId(idOrSlug: string, viewer: Viewer): Promise<string | null> {
    if (!viewer.isAdmin) return repository.findReachableId(reads, idOrSlug);
    return (await repository.findVideoRow(db, idOrSlug))?.id ?? null;
  }

  /** Returns only the id, with the same rules as `get`. */
  async function getId(idOrSlug: string, viewer: Viewer): Promise<string> {
    const id = (await findId(idOrSlug, viewer)) ?? (await findMoved(idOrSlug, viewer));
    if (id === null) throw notFound();
    if (viewer.isAdmin) return id;
    noteShown(videoTag(id));
    requireVideo(id);
    return id;
  }

  async function findMoved(slug: string, viewer: Viewer): Promise<string | null> {
    const id = isUuid(slug) ? null : await findRedirect(db, "videos", slug);
    return id === null ? null : findId(id, viewer);
  }

  /** Returns the video as admins see it, or null. Doesn't follow old slugs. */
  async function find(idOrSlug: string): Promise<Video | null> {
    const row = await repository.findVideoRow(db, idOrSlug);
    const [video] = row === null ? [] : await hydrateVideos(db, [row.id]);
    return video === undefined ? null : presentVideo(video, { isAdmin: true });
  }

  async function getHydrated(idOrSlug: string, viewer: Viewer) {
    const id = await getId(idOrSlug, viewer);
    const [video] = await hydrateVideos(sourceFor(viewer), [id]);
    // The video may have changed since its id was read.
    if (video === undefined || !(viewer.isAdmin || video.row.is_reachable)) throw notFound();
    return video;
  }

  return {
    getId,
    find,

    /** @throws AppError not_found. Visitors also get it for videos they may not see. */
    async get(idOrSlug: string, viewer: Viewer): Promise<Video> {
      return presentVideo(await getHydrated(idOrSlug, viewer), viewer);
    },

    /** Returns other videos made from the same file, for admins. */
    async listSameFiles(id: string): Promise<SameFile[]> {
      const row = await repository.findVideoRow(db, id);
      return row === null ? [] : listSameFiles(deps, row);
    },

    /**
     * Returns the times of mid-rolls in seconds, in ascending order and before the end of the
     * video.
     */
    async listMidrollTimes(idOrSlug: string, viewer: Viewer): Promise<number[]> {
      const { row } = await getHydrated(idOrSlug, viewer);
      return midrollTimes(row.duration_s, row.midroll_times, await findMidrollRules());
    },
  };
}

export type VideosService = ReturnType<typeof createVideosService>;

import type { Video } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { Viewer } from "../../http/access/viewer.ts";
import { AppError } from "../../lib/app-error.ts";
import { hydrateVideos } from "./hydrated-videos.repository.ts";
import { midrollTimes } from "./midroll.ts";
import { presentVideo } from "./videos.presenter.ts";
import * as repository from "./videos.repository.ts";

/** Reads videos as a viewer may see them. */
export interface VideosService {
  /** @throws AppError not_found, for visitors also if the video is not listed. */
  get(idOrSlug: string, viewer: Viewer): Promise<Video>;
  /** Only the id, with the same rule. */
  getId(idOrSlug: string, viewer: Viewer): Promise<string>;
  /** The videos of these ids that the viewer may see, in the order of the ids. */
  listByIds(ids: string[], viewer: Viewer, likedIds?: Set<string>): Promise<Video[]>;
  /** Times of mid-rolls in seconds, ascending, inside the duration. */
  listMidrollTimes(idOrSlug: string, viewer: Viewer): Promise<number[]>;
}

export function createVideosService(deps: {
  db: Db;
  /** The operator's mid-roll times for videos that have none of their own; null for the fallback. */
  findDefaultMidrolls: () => Promise<number[] | null>;
}): VideosService {
  const { db, findDefaultMidrolls } = deps;

  async function getRow(idOrSlug: string, viewer: Viewer): Promise<repository.VideoRow> {
    const row = await repository.findVideoRow(db, idOrSlug);
    if (row === null || !(viewer.isAdmin || row.is_listed)) {
      throw new AppError("not_found", "Video not found");
    }
    return row;
  }

  return {
    async get(idOrSlug, viewer) {
      const row = await getRow(idOrSlug, viewer);
      const [hydrated] = await hydrateVideos(db, [row.id]);
      if (hydrated === undefined) throw new AppError("not_found", "Video not found");
      return presentVideo(hydrated, viewer);
    },

    async getId(idOrSlug, viewer) {
      return (await getRow(idOrSlug, viewer)).id;
    },

    async listByIds(ids, viewer, likedIds) {
      const videos = await hydrateVideos(db, ids);
      return videos
        .filter(({ row }) => viewer.isAdmin || row.is_listed)
        .map((item) =>
          presentVideo(item, { ...viewer, isLiked: likedIds?.has(item.row.id) ?? false }),
        );
    },

    async listMidrollTimes(idOrSlug, viewer) {
      const row = await getRow(idOrSlug, viewer);
      return midrollTimes(row.duration_s, row.midroll_times ?? (await findDefaultMidrolls()));
    },
  };
}

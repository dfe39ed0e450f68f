import type { SameFile, Video } from "#contract/videos/videos.ts";
import { videoTag } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/viewer.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listSameFiles } from "./files/same-files.ts";
import { hydrateVideos } from "./hydrated-videos.repository.ts";
import { midrollTimes, type MidrollRules } from "./midroll.ts";
import type { ListedVideos } from "./video-store/listed-videos.ts";
import { videoOf, type ShownVideo } from "./video-store/shown-video.ts";
import { presentVideo } from "./videos.presenter.ts";
import { createBatchedRead } from "#server/lib/batched-read.ts";
import { isUuid } from "#server/lib/ids.ts";
import { readSlugRedirects } from "./video-slugs.repository.ts";
import * as repository from "./videos.repository.ts";

/** Reads videos as a viewer may see them: for visitors from memory where possible. */
export interface VideosService {
  /** @throws AppError not_found, for visitors also if the video is not listed. */
  get(idOrSlug: string, viewer: Viewer): Promise<Video>;
  /** As admins see it, or null. Old slugs lead nowhere here. */
  find(idOrSlug: string): Promise<Video | null>;
  /** As visitors see it. @throws AppError not_found if it is not listed. */
  getListed(idOrSlug: string): Promise<ShownVideo>;
  /** Only the id, with the same rule as `get`. */
  getId(idOrSlug: string, viewer: Viewer): Promise<string>;
  /** Other videos that were made of the same file as this one, for admins. */
  listSameFiles(id: string): Promise<SameFile[]>;
  /** See `ListedVideos`. */
  guessId: ListedVideos["guessId"];
  /** The videos of these ids that the viewer may see, in the order of the ids. */
  listByIds(ids: string[], viewer: Viewer, likedIds?: ReadonlySet<string>): Promise<Video[]>;
  /** The same as visitors see them. */
  listListed: ListedVideos["list"];
  /** Times of mid-rolls in seconds, ascending, inside the duration. */
  listMidrollTimes(idOrSlug: string, viewer: Viewer): Promise<number[]>;
}

const notFound = () => new AppError("not_found", "Video not found");

export function createVideosService(deps: {
  db: Db;
  storage: Pick<Storage, "openRead">;
  listed: ListedVideos;
  /** For videos without mid-roll times of their own. */
  findMidrollRules: () => Promise<MidrollRules>;
}): VideosService {
  const { db, listed, findMidrollRules } = deps;

  const readMoved = createBatchedRead((slugs) => readSlugRedirects(db, slugs));
  /** The id of the video that had this slug. */
  const findMoved = async (slug: string): Promise<string | null> =>
    isUuid(slug) ? null : ((await readMoved([slug])).get(slug) ?? null);

  async function getRow(idOrSlug: string): Promise<repository.VideoRow> {
    const row = await repository.findVideoRow(db, idOrSlug);
    if (row !== null) return row;
    const id = await findMoved(idOrSlug);
    const moved = id === null ? null : await repository.findVideoRow(db, id);
    if (moved === null) throw notFound();
    return moved;
  }

  async function find(idOrSlug: string): Promise<Video | null> {
    const row = await repository.findVideoRow(db, idOrSlug);
    const [video] = row === null ? [] : await hydrateVideos(db, [row.id]);
    return video === undefined ? null : presentVideo(video, { isAdmin: true });
  }

  async function findListedMoved(slug: string): Promise<ShownVideo | null> {
    const id = await findMoved(slug);
    return id === null ? null : listed.find(id);
  }

  async function getListed(idOrSlug: string): Promise<ShownVideo> {
    const video = (await listed.find(idOrSlug)) ?? (await findListedMoved(idOrSlug));
    if (video === null) throw notFound();
    noteShown(videoTag(video.stored.id));
    return video;
  }

  return {
    getListed,
    guessId: listed.guessId,

    listListed(ids, counts) {
      noteShown(...ids.map(videoTag));
      return listed.list(ids, counts);
    },

    find,

    async get(idOrSlug, viewer) {
      if (!viewer.isAdmin) return videoOf(await getListed(idOrSlug));
      const video = await find((await getRow(idOrSlug)).id);
      if (video === null) throw notFound();
      return video;
    },

    async listSameFiles(id) {
      const row = await repository.findVideoRow(db, id);
      return row === null ? [] : listSameFiles(deps, row);
    },

    async getId(idOrSlug, viewer) {
      return viewer.isAdmin ? (await getRow(idOrSlug)).id : (await getListed(idOrSlug)).stored.id;
    },

    async listByIds(ids, viewer, likedIds) {
      noteShown(...ids.map(videoTag));
      const isLiked = (id: string) => likedIds?.has(id) ?? false;
      if (viewer.isAdmin) {
        const videos = await hydrateVideos(db, ids);
        return videos.map((item) =>
          presentVideo(item, { ...viewer, isLiked: isLiked(item.row.id) }),
        );
      }
      const videos = await listed.list(ids);
      return videos.map((video) => videoOf(video, isLiked(video.stored.id)));
    },

    async listMidrollTimes(idOrSlug, viewer) {
      const { durationS, own } = viewer.isAdmin
        ? await getRow(idOrSlug).then((row) => ({
            durationS: row.duration_s,
            own: row.midroll_times,
          }))
        : await getListed(idOrSlug).then(({ stored }) => ({
            durationS: stored.durationS,
            own: stored.midrollTimes,
          }));
      return midrollTimes(durationS, own, await findMidrollRules());
    },
  };
}

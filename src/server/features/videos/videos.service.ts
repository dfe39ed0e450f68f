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
import { listPlaces } from "#server/features/labels/series.service.ts";
import { listSameFiles } from "./files/same-files.ts";
import { hydrateVideos } from "./query/video-list.repository.ts";
import { presentVideo } from "./query/videos.presenter.ts";
import * as repository from "./videos.repository.ts";

/** Rules in the settings for videos without their own mid-roll times. */
interface MidrollRules {
  /** Times in seconds; null for the default fractions of the duration. */
  times: number[] | null;
  /** Interval in minutes; 0 uses `times`. */
  everyMin: number;
  /** Minimum time between two ad breaks, in seconds. */
  gapS: number;
}

/** Minimum time between a mid-roll and the end. */
const minLeftS = 30;

/**
 * Returns the times of mid-rolls in seconds, in ascending order and before the end of the video.
 * Uses the video's own times, otherwise the rules. Without either, there is one a quarter into a
 * video of more than two minutes, one in the middle if it has more than one minute, and one at
 * three quarters if it has more than three minutes.
 */
export function midrollTimes(
  durationS: number,
  own: number[] | null,
  { times: configured, everyMin, gapS }: MidrollRules = { times: null, everyMin: 0, gapS: 0 },
): number[] {
  const times =
    own ??
    (everyMin > 0 ? regularTimes(durationS, Math.max(everyMin * 60, gapS)) : configured) ??
    usualTimes(durationS);
  return [...new Set(times.map((time) => Math.round(time * 1000) / 1000))]
    .filter((time) => time > 0 && time < durationS)
    .toSorted((a, b) => a - b);
}

const regularTimes = (durationS: number, everyS: number): number[] =>
  Array.from(
    { length: Math.max(0, Math.floor((durationS - minLeftS) / everyS)) },
    (_, at) => (at + 1) * everyS,
  );

const usualTimes = (durationS: number): number[] => [
  ...(durationS > 120 ? [durationS * 0.25] : []),
  ...(durationS > 60 ? [durationS * 0.5] : []),
  ...(durationS > 180 ? [durationS * 0.75] : []),
];

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
      const video = await getHydrated(idOrSlug, viewer);
      const shown = presentVideo(video, viewer);
      if (video.series.length === 0) return shown;
      const places = await listPlaces(sourceFor(viewer), shown.id, video.series);
      return places.length === 0 ? shown : { ...shown, series: places };
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

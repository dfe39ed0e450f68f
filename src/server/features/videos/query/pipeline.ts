import type { Video } from "#contract/videos/videos.ts";
import { videoTag } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/viewer.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { presentVideo } from "../videos.presenter.ts";
import { hydrateVideos, type HydratedVideo } from "./video-list.repository.ts";

/** The ids of a page in their order, with everything else that the list knows of it. */
interface Skeleton {
  ids: readonly string[];
}

interface ListRequest<Query> {
  query: Query;
  viewer: Viewer;
}

/**
 * One list of videos. What every list has in common stands between the steps: rows are read, those
 * that the viewer may not see are left out, and each becomes a `Video`.
 */
interface ListSteps<Query, S extends Skeleton, More extends object, List> {
  /** Which videos, in which order: one query. */
  skeleton(query: Query, viewer: Viewer): Promise<S>;
  /** Fields that only this list adds to its videos, such as why each is in it. */
  reasons?(
    videos: readonly Video[],
    skeleton: S,
    request: ListRequest<Query>,
  ): Promise<Reasons<More>>;
  /** The response. */
  present(videos: (Video & More)[], skeleton: S, request: ListRequest<Query>): List;
}

/** The fields that a list adds to one of its videos. */
export type Reasons<More extends object> = (video: Video) => More;

export type Pipeline<Query, List> = (query: Query, viewer: Viewer) => Promise<List>;

/**
 * Makes the pipeline of a list: skeleton, hydration, rules, reasons, presentation. Lists, label pages,
 * search, related videos, favorites and the feed all are one.
 */
export type CreatePipeline = <Query, S extends Skeleton, More extends object, List>(
  steps: ListSteps<Query, S, More, List>,
) => Pipeline<Query, List>;

/** Visitors see what is listed, admins everything. */
const mayShow = ({ row }: HydratedVideo, viewer: Viewer): boolean =>
  viewer.isAdmin || row.is_listed;

/** @param deps.reads for visitors; may be a replica. */
export function createPipelines(deps: { db: Db; reads: Db }): CreatePipeline {
  return ({ skeleton, reasons, present }) =>
    async (query, viewer) => {
      const found = await skeleton(query, viewer);
      noteShown(...found.ids.map(videoTag));
      const hydrated = await hydrateVideos(viewer.isAdmin ? deps.db : deps.reads, found.ids);
      const videos = hydrated
        .filter((video) => mayShow(video, viewer))
        .map((video) => presentVideo(video, viewer));
      const moreOf = await reasons?.(videos, found, { query, viewer });
      return present(
        videos.map((video) => Object.assign(video, moreOf?.(video))),
        found,
        { query, viewer },
      );
    };
}

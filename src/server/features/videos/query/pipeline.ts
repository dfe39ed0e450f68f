import type { Video } from "#contract/videos/videos.ts";
import { videoTag } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { presentVideo } from "./videos.presenter.ts";
import { hydrateVideos, type HydratedVideo } from "./video-list.repository.ts";

/** Ids of a page in order, and the other data of the list. */
interface Skeleton {
  ids: readonly string[];
}

interface ListRequest<Query> {
  query: Query;
  viewer: Viewer;
}

/**
 * Steps of one list of videos. All lists share the code between the steps: it reads the rows,
 * removes videos that the viewer may not see, and presents each one as a `Video`.
 */
interface ListSteps<Query, S extends Skeleton, More extends object, List> {
  /** Returns which videos to show and in which order, with one query. */
  skeleton(query: Query, viewer: Viewer): Promise<S>;
  /** Returns fields that only this list adds to its videos, such as the reason for each video. */
  reasons?(
    videos: readonly Video[],
    skeleton: S,
    request: ListRequest<Query>,
  ): Promise<Reasons<More>>;
  /** Returns the response. */
  present(videos: (Video & More)[], skeleton: S, request: ListRequest<Query>): List | Promise<List>;
}

/** Returns the fields that a list adds to one of its videos. */
export type Reasons<More extends object> = (video: Video) => More;

export type Pipeline<Query, List> = (query: Query, viewer: Viewer) => Promise<List>;

/**
 * Creates the pipeline of a list: skeleton, hydration, rules, reasons, presentation. Lists, label
 * pages, search, related videos, favorites and the feed use it.
 */
export type CreatePipeline = <Query, S extends Skeleton, More extends object, List>(
  steps: ListSteps<Query, S, More, List>,
) => Pipeline<Query, List>;

/** Visitors see listed videos. Admins see all videos. */
const canShow = ({ row }: HydratedVideo, viewer: Viewer): boolean =>
  viewer.isAdmin || row.is_listed;

/** @param deps.reads database for visitors, possibly a replica. */
export function createPipelines(deps: { db: Db; reads: Db }): CreatePipeline {
  return ({ skeleton, reasons, present }) =>
    async (query, viewer) => {
      const found = await skeleton(query, viewer);
      noteShown(...found.ids.map(videoTag));
      const hydrated = await hydrateVideos(viewer.isAdmin ? deps.db : deps.reads, found.ids);
      const videos = hydrated
        .filter((video) => canShow(video, viewer))
        .map((video) => presentVideo(video, viewer));
      const extraFields = await reasons?.(videos, found, { query, viewer });
      return present(
        videos.map((video) => Object.assign(video, extraFields?.(video))),
        found,
        { query, viewer },
      );
    };
}

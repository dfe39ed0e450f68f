import type { AdSlotInfo } from "#ads/contract/ads.ts";
import type { TimeRange } from "../limits.ts";
import type { FeedList } from "../lists/feed.ts";
import { labelItem, labelList, type LabelKind } from "../lists/labels.ts";
import { trendingStats } from "../lists/statistics.ts";
import { relatedList, video, videoList, type VideoListQuery } from "../videos/videos.ts";
import { commentList } from "../visitors/comments.ts";
import { privacyFacts } from "../visitors/privacy.ts";
import { takedownLog } from "../visitors/reports.ts";
import { publicSettings, sitePage, type SitePageName } from "./settings.ts";

type Query = Record<string, string | number | boolean | null | undefined>;

/** Call that reads data for pages: its address and the schema of its response. */
export interface PageEndpoint<Args extends unknown[] = never[], Response = unknown> {
  readonly response: { parse(value: unknown): Response };
  readonly address: (...args: Args) => { path: string; query?: Query };
}

const endpoint = <Args extends unknown[], Response>(
  response: { parse(value: unknown): Response },
  address: (...args: Args) => { path: string; query?: Query },
): PageEndpoint<Args, Response> => ({ response, address });

const segment = encodeURIComponent;
const videoPath = (slugOrId: string) => `/api/videos/${segment(slugOrId)}`;

/**
 * All calls that read data for pages. The browser's clients are built from this table, and the
 * server implements its type with services (`server/site/page-api.ts`). Failures have a `status`,
 * which is 404 for content that is unknown, unpublished, expired, empty or turned off.
 */
export const pageEndpoints = {
  publicSettings: endpoint(publicSettings, () => ({ path: "/api/settings/public" })),
  listVideos: endpoint(videoList, (query: Partial<VideoListQuery>) => ({
    path: "/api/videos",
    query,
  })),
  getVideo: endpoint(video, (slugOrId: string) => ({ path: videoPath(slugOrId) })),
  getPrivateVideo: endpoint(video, (secret: string) => ({
    path: `/api/private/${segment(secret)}`,
  })),
  listRelated: endpoint(relatedList, (slugOrId: string) => ({
    path: `${videoPath(slugOrId)}/related`,
  })),
  trendingStats: endpoint(trendingStats, (timeRange: TimeRange) => ({
    path: "/api/trending/stats",
    query: { timeRange },
  })),
  listLabel: endpoint(labelList, (kind: LabelKind) => ({ path: `/api/${kind}` })),
  getLabel: endpoint(labelItem, (kind: LabelKind, slug: string) => ({
    path: `/api/${kind}/${segment(slug)}`,
  })),
  listComments: endpoint(commentList, (slug: string, cursor: string | null) => ({
    path: `${videoPath(slug)}/comments`,
    query: { cursor },
  })),
  privacyFacts: endpoint(privacyFacts, () => ({ path: "/api/privacy" })),
  takedownLog: endpoint(takedownLog, () => ({ path: "/api/takedowns" })),
  getSitePage: endpoint(sitePage, (name: SitePageName) => ({ path: `/api/pages/${name}` })),
};

type PageCalls = {
  [Name in keyof typeof pageEndpoints]: (typeof pageEndpoints)[Name] extends PageEndpoint<
    infer Args,
    infer Response
  >
    ? (...args: Args) => Promise<Response>
    : never;
};

/**
 * Data of pages. Rendered pages are cached for everyone, so the server reads it as for a visitor
 * without a cookie.
 */
export interface PageApi extends PageCalls {
  /**
   * Returns the first items of the For You feed. With a slug, that clip comes first. The server
   * returns two or three clips for everyone, and the browser returns the first page for this
   * visitor.
   * @param steering query with the visitor's feed preferences, which only the browser has.
   */
  feedHead(slug: string | null, steering: Query): Promise<FeedList>;
}

/** Data available only while the server renders a page. The browser has no such calls. */
export interface ServerPageApi {
  /** Returns the placements with current ads, for which pages reserve space. */
  adSlots(): Promise<AdSlotInfo[]>;
}

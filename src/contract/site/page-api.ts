import type { AdSlotInfo } from "#ads/contract/ads.ts";
import type { TimeRange } from "../limits.ts";
import type { FeedList } from "../lists/feed.ts";
import { labelItem, labelList, type LabelKind } from "../lists/labels.ts";
import { trendingStats } from "../lists/statistics.ts";
import type { Transcript } from "../videos/transcript.ts";
import {
  relatedList,
  video,
  videoList,
  type Video,
  type VideoListQuery,
} from "../videos/videos.ts";
import type { PassView } from "../visitors/passes.ts";
import { commentList } from "../visitors/comments.ts";
import { privacyFacts } from "../visitors/privacy.ts";
import { takedownLog } from "../visitors/reports.ts";
import type { SiteTheme } from "./theme.ts";
import { publicSettings, sitePage } from "./settings.ts";

type Query = Record<string, string | number | boolean | null | undefined>;

/** Sends a GET request and parses its response. */
type Send = <Response>(
  response: { parse(value: unknown): Response },
  path: string,
  query?: Query,
) => Promise<Response>;

const segment = encodeURIComponent;
const videoPath = (slugOrId: string) => `/api/videos/${segment(slugOrId)}`;

/**
 * Creates all calls that read data for pages over HTTP. The server implements their type with
 * services (`server/site/page-api.ts`). Failures have a `status`, which is 404 for content that is
 * unknown, unpublished, expired, empty or turned off.
 */
export const createPageCalls = (send: Send) => ({
  publicSettings: () => send(publicSettings, "/api/settings/public"),
  listVideos: (query: Partial<VideoListQuery>) => send(videoList, "/api/videos", query),
  getVideo: (slugOrId: string) => send(video, videoPath(slugOrId)),
  getPrivateVideo: (secret: string) => send(video, `/api/private/${segment(secret)}`),
  listRelated: (slugOrId: string) => send(relatedList, `${videoPath(slugOrId)}/related`),
  trendingStats: (timeRange: TimeRange) =>
    send(trendingStats, "/api/trending/stats", { timeRange }),
  listLabel: (kind: LabelKind) => send(labelList, `/api/${kind}`),
  getLabel: (kind: LabelKind, slug: string) => send(labelItem, `/api/${kind}/${segment(slug)}`),
  listComments: (slug: string, cursor: string | null) =>
    send(commentList, `${videoPath(slug)}/comments`, { cursor }),
  privacyFacts: () => send(privacyFacts, "/api/privacy"),
  takedownLog: () => send(takedownLog, "/api/takedowns"),
  /** @param name name of a page of the settings, or address of an own page. */
  getSitePage: (name: string) => send(sitePage, `/api/pages/${segment(name)}`),
});

/**
 * Data of pages. Rendered pages are cached for everyone, so the server reads it as for a visitor
 * without a cookie.
 */
export interface PageApi extends ReturnType<typeof createPageCalls> {
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
  /** Returns the colors, corners and font of the pages. */
  theme(): Promise<SiteTheme>;
  /** Returns the start of a video's transcript in a language if possible. Null without one. */
  transcriptStart(video: Video, language: string): Promise<Transcript | null>;
  /** Returns what the page of a pass shows. Null on every other page. */
  passView(): PassView | null;
}

import type { AdSlotInfo } from "#ads/contract/ads.ts";
import type { TimeRange } from "../limits.ts";
import type { FeedList } from "../lists/feed.ts";
import type { CommentList } from "../visitors/comments.ts";
import type { PrivacyFacts } from "../visitors/privacy.ts";
import type { PublicSettings, SitePageName } from "./settings.ts";
import type { TrendingStats } from "../lists/statistics.ts";
import type { TakedownLog } from "../visitors/reports.ts";
import type { LabelItem, LabelKind } from "../lists/labels.ts";
import type { Video, VideoList, VideoListQuery } from "../videos/videos.ts";

/**
 * The data of pages: services on the server, HTTP calls in the browser. Rendered pages are cached for
 * everyone, so the server reads as a visitor without a cookie.
 */
export interface PageApi {
  publicSettings(): Promise<PublicSettings>;
  listVideos(query: Partial<VideoListQuery>): Promise<VideoList>;
  /** Throws an error with `status` 404 for the unknown, the unpublished and the unfinished. */
  getVideo(slugOrId: string): Promise<Video>;
  /** Throws an error with `status` 404 where the secret leads to no video, or no more. */
  getPrivateVideo(secret: string): Promise<Video>;
  listRelated(slugOrId: string): Promise<Video[]>;
  midrollTimes(slugOrId: string): Promise<number[]>;
  trendingStats(range: TimeRange): Promise<TrendingStats>;
  listLabel(kind: LabelKind): Promise<LabelItem[]>;
  /** Throws an error with `status` 404 for the unknown. */
  getLabel(kind: LabelKind, slug: string): Promise<LabelItem>;
  /**
   * The first items of the For You feed; with a slug, that clip first. The server returns two or
   * three clips for everyone, the browser the first page for this visitor. Throws with `status` 404.
   */
  feedHead(slug: string | null): Promise<FeedList>;
  /** One of the operator's pages as safe HTML. Throws an error with `status` 404 if it is empty. */
  getSitePage(name: SitePageName): Promise<string>;
  /** The comments of a video, the newest first. Throws an error with `status` 404 where there are none. */
  listComments(slug: string, cursor: string | null): Promise<CommentList>;
  privacyFacts(): Promise<PrivacyFacts>;
  /** Throws an error with `status` 404 unless the operator shows it. */
  takedownLog(): Promise<TakedownLog>;
}

/** Data available only while the server renders a page. The browser has no such calls. */
export interface ServerPageApi {
  /** The placements that have ads now. Pages reserve space for them. */
  adSlots(): Promise<AdSlotInfo[]>;
  /** Playlists of a long video, inlined so that the player needs no request for them. */
  inlinePlaylists(video: Video): Promise<InlinePlaylists | null>;
}

/** HLS playlists by absolute path, as text. `master` is one of the keys of `files`. */
export interface InlinePlaylists {
  master: string;
  files: Record<string, string>;
}

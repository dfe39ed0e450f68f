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
 * Data of pages: services on the server, HTTP calls in the browser. Rendered pages are cached for
 * everyone, so the server reads as a visitor without a cookie.
 */
export interface PageApi {
  publicSettings(): Promise<PublicSettings>;
  listVideos(query: Partial<VideoListQuery>): Promise<VideoList>;
  /** @throws an error with `status` 404 for an unknown, unpublished or unfinished video. */
  getVideo(slugOrId: string): Promise<Video>;
  /** @throws an error with `status` 404 for an unknown or expired secret. */
  getPrivateVideo(secret: string): Promise<Video>;
  listRelated(slugOrId: string): Promise<Video[]>;
  midrollTimes(slugOrId: string): Promise<number[]>;
  trendingStats(range: TimeRange): Promise<TrendingStats>;
  listLabel(kind: LabelKind): Promise<LabelItem[]>;
  /** @throws an error with `status` 404 for an unknown label. */
  getLabel(kind: LabelKind, slug: string): Promise<LabelItem>;
  /**
   * Returns the first items of the For You feed; with a slug, that clip first. The server returns
   * two or three clips for everyone, the browser the first page for this visitor. Throws with
   * `status` 404.
   */
  feedHead(slug: string | null): Promise<FeedList>;
  /**
   * Returns one of the operator's pages as safe HTML. Throws an error with `status` 404 if it is
   * empty.
   */
  getSitePage(name: SitePageName): Promise<string>;
  /**
   * Returns a video's comments, newest first. Throws an error with `status` 404 if comments are
   * off.
   */
  listComments(slug: string, cursor: string | null): Promise<CommentList>;
  privacyFacts(): Promise<PrivacyFacts>;
  /** @throws an error with `status` 404 unless the operator publishes it. */
  takedownLog(): Promise<TakedownLog>;
}

/** Data available only while the server renders a page. The browser has no such calls. */
export interface ServerPageApi {
  /** Returns the placements with current ads, for which pages reserve space. */
  adSlots(): Promise<AdSlotInfo[]>;
  /** Returns playlists of a long video, inlined so that the player needs no request for them. */
  inlinePlaylists(video: Video): Promise<InlinePlaylists | null>;
}

/** HLS playlists by absolute path, as text. `master` is one of the keys of `files`. */
export interface InlinePlaylists {
  master: string;
  files: Record<string, string>;
}

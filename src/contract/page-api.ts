import type { AdPlace } from "./ads.ts";
import type { TimeRange } from "./limits.ts";
import type { FeedList } from "./feed.ts";
import type { PublicSettings, SitePageName } from "./settings.ts";
import type { TrendingStats } from "./statistics.ts";
import type { TaxonomyItem, TaxonomyKind } from "./taxonomy.ts";
import type { Video, VideoList, VideoListQuery } from "./videos.ts";

/** What a page may ask for, always as a visitor that nobody knows: pages are cached for everybody. */
export interface PageApi {
  publicSettings(): Promise<PublicSettings>;
  /** Where there are ads now: pages keep room for them. */
  adPlaces(): Promise<AdPlace[]>;
  listVideos(query: Partial<VideoListQuery>): Promise<VideoList>;
  /** Throws an error with `status` 404 for the unknown, the unpublished and the unfinished. */
  getVideo(slugOrId: string): Promise<Video>;
  listRelated(slugOrId: string): Promise<Video[]>;
  midrollTimes(slugOrId: string): Promise<number[]>;
  trendingStats(range: TimeRange): Promise<TrendingStats>;
  listTaxonomy(kind: TaxonomyKind): Promise<TaxonomyItem[]>;
  /** Throws an error with `status` 404 for the unknown. */
  getTaxonomy(kind: TaxonomyKind, slug: string): Promise<TaxonomyItem>;
  /**
   * What the feed opens with; with a slug, that clip first. On the server two or three clips for
   * everybody, in the browser the first page for this visitor. Throws with `status` 404.
   */
  feedHead(slug: string | null): Promise<FeedList>;
  /** One of the operator's pages as safe HTML. Throws an error with `status` 404 where it is empty. */
  getSitePage(name: SitePageName): Promise<string>;
  /** Playlists of a long video, inlined so that the player needs no request for them. */
  inlinePlaylists(video: Video): Promise<InlinePlaylists | null>;
}

/** HLS playlists by absolute path, as text. `master` is one of the keys of `files`. */
export interface InlinePlaylists {
  master: string;
  files: Record<string, string>;
}

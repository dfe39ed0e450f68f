import type { ListedVideo, VideoList } from "#contract/videos/videos.ts";
import { formatAge, formatCount } from "../format/format.ts";
import { reasonText } from "./why-text.ts";

/**
 * Fields that a card shows. All other fields are left out, because pages contain every listed
 * video.
 */
export interface CardVideo {
  slug: string;
  title: string;
  thumbnail: string | null;
  previewUrl: string | null;
  durationS: number;
  views: number;
  likes: number;
  isPremium: boolean;
  /** True if only members can play the video. */
  isLocked?: boolean | undefined;
  /**
   * Time since publication, such as "3 days ago". A text, so that the server and the browser agree.
   */
  age: string;
  /** True if the picture is blurred. */
  isSensitive?: boolean;
  /** Name of the first category. */
  category: string | null;
  /** Ranking reason; null if the heading of the list states it. */
  why: string | null;
  /** Position in seconds at which the searched words are spoken. Playback starts there. */
  startS?: number | undefined;
  /** Place in the series whose list this is, and the series as it appears in URLs. */
  part?: ListedVideo["part"];
}

export interface CardList {
  videos: CardVideo[];
  total: number;
  nextCursor: string | null;
  /** Corrected search words, if nothing matched the words as typed. */
  didYouMean: string | null;
}

/** Returns whether the reason is a number of views that reads like the views on the card. */
function repeatsViews({ reason, views }: ListedVideo): boolean {
  if (reason === undefined || !reason.kind.startsWith("views")) return false;
  return reason.kind === "viewsAll" || formatCount(reason.count ?? 0) === formatCount(views);
}

export function toCardVideo(video: ListedVideo): CardVideo {
  return {
    slug: video.slug,
    title: video.title,
    thumbnail: video.thumbnail,
    previewUrl: video.previewUrl,
    durationS: video.duration,
    views: video.views,
    likes: video.likes,
    isPremium: video.isPremium,
    isLocked: video.isLocked,
    age: formatAge(video.publishedAt ?? video.createdAt, Date.now()),
    isSensitive: video.isSensitive,
    category: video.categories[0]?.category.name ?? null,
    why: repeatsViews(video) ? null : reasonText(video),
    startS: video.foundAtS,
    part: video.part,
  };
}

export function toCardList(list: VideoList): CardList {
  return {
    videos: list.videos.map(toCardVideo),
    total: list.total,
    nextCursor: list.nextCursor,
    didYouMean: list.didYouMean ?? null,
  };
}

export function videoHref(slug: string, startS?: number): string {
  return `/video/${encodeURIComponent(slug)}${startS === undefined ? "" : `?t=${startS}`}`;
}

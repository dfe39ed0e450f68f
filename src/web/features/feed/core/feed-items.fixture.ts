import type { PublicAd } from "#ads/contract/ads.ts";
import type { FeedVideo } from "#contract/lists/feed.ts";

export function feedVideo(id: string, values: Partial<FeedVideo> = {}): FeedVideo {
  return {
    id,
    slug: id,
    title: id,
    description: null,
    thumbnail: null,
    thumbnailUrl: null,
    posterUrl: null,
    videoUrl: null,
    smallVideoUrl: null,
    hlsUrl: null,
    previewUrl: null,
    storyboardUrl: null,
    fileFormat: "mp4",
    duration: 10,
    width: null,
    height: null,
    views: 0,
    likes: 0,
    isLiked: false,
    isFavorite: false,
    why: null,
    isPublished: true,
    isPremium: false,
    status: "ready",
    createdAt: "2026-01-01T00:00:00.000Z",
    publishedAt: null,
    categories: [],
    tags: [],
    actors: [],
    ...values,
  };
}

export function feedAd(id: string): PublicAd {
  return {
    id,
    title: id,
    description: null,
    content: null,
    type: "banner",
    placement: "feed",
    imageUrl: null,
    linkUrl: null,
    vastTagUrl: null,
    trust: "isolated",
    widthPx: null,
    heightPx: null,
    isBumper: false,
  };
}

export const feedVideos = (...ids: string[]) => ids.map((id) => feedVideo(id));

import type { FeedList, FeedMark, FeedVideo } from "../../contract/feed.ts";
import type { PublicSettings } from "../../contract/settings.ts";
import type { TrendingStats } from "../../contract/statistics.ts";
import type { TaxonomyItem } from "../../contract/taxonomy.ts";
import type { Label, LikeStatus, MidrollAnswer, Video, VideoList } from "../../contract/videos.ts";
import type { User } from "../../contract/auth.ts";
import { flag, listOf, number, object, oneOf, orNull, text, type Shape } from "./shape.ts";

const label: Shape<Label> = object<Label>({ id: text, name: text, slug: text });

type PublicVideo = Omit<
  Video,
  "failureReason" | "progress" | "version" | "sizeBytes" | "publishAt"
>;

export const videoShape: Shape<Video> = object<PublicVideo>({
  id: text,
  slug: text,
  title: text,
  description: orNull(text),
  thumbnail: orNull(text),
  thumbnailUrl: orNull(text),
  videoUrl: orNull(text),
  posterUrl: orNull(text),
  smallVideoUrl: orNull(text),
  hlsUrl: orNull(text),
  previewUrl: orNull(text),
  storyboardUrl: orNull(text),
  fileFormat: text,
  duration: number,
  width: orNull(number),
  height: orNull(number),
  views: number,
  likes: number,
  isLiked: flag,
  isPublished: flag,
  isPremium: flag,
  status: oneOf("processing", "ready", "failed"),
  createdAt: text,
  publishedAt: orNull(text),
  categories: listOf(object<{ category: Label }>({ category: label })),
  tags: listOf(object<{ tag: Label }>({ tag: label })),
  actors: listOf(object<{ actor: Label }>({ actor: label })),
});

export const videosShape: Shape<Video[]> = listOf(videoShape);

export const videoListShape: Shape<VideoList> = object<VideoList>({
  videos: videosShape,
  total: number,
  nextCursor: orNull(text),
});

export const feedVideoShape: Shape<FeedVideo> = (value, path) => ({
  ...videoShape(value, path),
  ...object<{ isFavorite: boolean }>({ isFavorite: flag })(value, path),
});

export const feedListShape: Shape<FeedList> = object<FeedList>({
  videos: listOf(feedVideoShape),
  nextCursor: orNull(text),
  shown: listOf(object<FeedMark>({ id: text, isLiked: flag, isFavorite: flag })),
});

export const likeStatusShape: Shape<LikeStatus> = object<LikeStatus>({
  liked: flag,
  likesCount: number,
});

export const midrollShape: Shape<MidrollAnswer> = object<MidrollAnswer>({
  config: object<MidrollAnswer["config"]>({ times: listOf(number) }),
});

export const publicSettingsShape: Shape<PublicSettings> = object<PublicSettings>({
  siteName: orNull(text),
  siteDescription: orNull(text),
  siteUrl: orNull(text),
  logoUrl: orNull(text),
  faviconUrl: orNull(text),
  filterCategories: listOf(text),
  browseListings: flag,
  pages: listOf(oneOf("terms", "privacy", "contact")),
});

export const sitePageShape = object<{ html: string }>({ html: text });

export const trendingStatsShape: Shape<TrendingStats> = object<TrendingStats>({
  stats: object<TrendingStats["stats"]>({
    totalVideos: number,
    totalViews: number,
    totalLikes: number,
    viewsGrowth: orNull(number),
    likesGrowth: orNull(number),
  }),
  topVideo: orNull(
    object<NonNullable<TrendingStats["topVideo"]>>({ title: text, views: number, slug: text }),
  ),
});

export const taxonomyItemShape: Shape<TaxonomyItem> = object<TaxonomyItem>({
  id: text,
  name: text,
  slug: text,
  description: orNull(text),
  imageUrl: orNull(text),
  videoCount: number,
  createdAt: text,
});

export const userShape: Shape<User> = object<User>({
  id: text,
  email: text,
  name: text,
  role: oneOf("ADMIN", "USER"),
});

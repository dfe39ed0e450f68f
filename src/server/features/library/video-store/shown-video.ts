import type { Video } from "../../../../contract/videos.ts";
import type { VideoCounts } from "../../../db/video-counts.ts";

type FixedVideo = Omit<Video, "views" | "likes" | "isLiked">;

/** A listed video as visitors see it, without its counts: as fields, and as the text of its JSON. */
export interface StoredVideo {
  fixed: FixedVideo;
  /** Without the closing brace. */
  text: string;
  /** Times of mid-rolls as configured for this video; null for the default. */
  midrollTimes: number[] | null;
  stamp: number;
}

/** A listed video with its counts. */
export interface ShownVideo {
  stored: StoredVideo;
  counts: VideoCounts;
}

export function storedVideo(
  video: Video,
  { midrollTimes, stamp }: Pick<StoredVideo, "midrollTimes" | "stamp">,
): StoredVideo {
  const { views: _views, likes: _likes, isLiked: _isLiked, ...fixed } = video;
  return { fixed, text: JSON.stringify(fixed).slice(0, -1), midrollTimes, stamp };
}

export function videoOf({ stored, counts }: ShownVideo, isLiked = false): Video {
  return { ...stored.fixed, views: counts.views, likes: counts.likes, isLiked };
}

/** The JSON of `videoOf`. @param more further fields: JSON with a comma before each. */
export function videoText({ stored, counts }: ShownVideo, isLiked = false, more = ""): string {
  return `${stored.text},"views":${counts.views},"likes":${counts.likes},"isLiked":${isLiked}${more}}`;
}

/** An estimate of the heap that a stored video takes, as measured: see docs/decisions. */
export function storedBytes({ text }: StoredVideo): number {
  return text.length * 3 + 1000;
}

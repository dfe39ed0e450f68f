import type { Video } from "#contract/videos/videos.ts";
import type { VideoCounts } from "#server/db/video-counts.ts";

/** A listed video as visitors see it, without its counts. */
export interface StoredVideo {
  id: string;
  slug: string;
  durationS: number;
  /** Times of mid-rolls as configured for this video; null for the default. */
  midrollTimes: number[] | null;
  stamp: number;
  /** All fields but the counts and the visitor's like, as JSON without the closing brace. */
  text: string;
}

/** A listed video with its counts. */
export interface ShownVideo {
  stored: StoredVideo;
  counts: VideoCounts;
}

export function storedVideo(
  video: Video,
  own: Pick<StoredVideo, "durationS" | "midrollTimes" | "stamp">,
): StoredVideo {
  const { views: _views, likes: _likes, isLiked: _isLiked, ...fixed } = video;
  const text = JSON.stringify(fixed).slice(0, -1);
  return { id: video.id, slug: video.slug, ...own, text };
}

/** The JSON of a video. @param more further fields: JSON with a comma before each. */
export function videoText({ stored, counts }: ShownVideo, isLiked = false, more = ""): string {
  return `${stored.text},"views":${counts.views},"likes":${counts.likes},"isLiked":${isLiked}${more}}`;
}

/** The same as fields. Parsed each time: fields that are kept would take twice the memory of text. */
export function videoOf(video: ShownVideo, isLiked = false): Video {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the text is that of a `Video`
  const fields: Video = JSON.parse(videoText(video, isLiked));
  return fields;
}

/** An estimate of the heap that a stored video takes: text has one byte per character, or two. */
export function storedBytes({ text }: StoredVideo): number {
  return text.length * (isLatin1(text) ? 1 : 2) + 600;
}

// oxlint-disable-next-line no-control-regex -- every character that V8 keeps in one byte
const isLatin1 = (text: string) => /^[\x00-\xff]*$/.test(text);

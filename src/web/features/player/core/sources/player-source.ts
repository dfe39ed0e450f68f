import type { CaptionTrack } from "../../../../../contract/captions.ts";
import type { InlinePlaylists } from "../../../../../contract/page-api.ts";
import type { Chapter, Video } from "../../../../../contract/videos.ts";

/** A video as the player needs it. */
export interface PlayerSource {
  id: string;
  slug: string;
  title: string;
  /** From the catalog. The duration of the file replaces it once known. */
  durationS: number;
  /** The progressive MP4, which plays everywhere and starts soonest. */
  progressiveUrl: string | null;
  /** The multivariant playlist. */
  hlsUrl: string | null;
  playlists: InlinePlaylists | null;
  posterUrl: string | null;
  captions: readonly CaptionTrack[];
  chapters: readonly Chapter[];
  categories: string[];
}

export function playerSourceOf(video: Video, playlists: InlinePlaylists | null): PlayerSource {
  return {
    id: video.id,
    slug: video.slug,
    title: video.title,
    durationS: video.duration,
    progressiveUrl: video.videoUrl,
    hlsUrl: video.hlsUrl,
    playlists,
    posterUrl: video.posterUrl ?? video.thumbnailUrl,
    captions: video.captions ?? [],
    chapters: video.chapters ?? [],
    categories: video.categories.map(({ category }) => category.slug),
  };
}

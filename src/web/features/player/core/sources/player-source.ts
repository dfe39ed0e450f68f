import type { InlinePlaylists } from "../../../../../contract/page-api.ts";
import type { Video } from "../../../../../contract/videos.ts";

/** A video as the player needs it. */
export interface PlayerSource {
  id: string;
  slug: string;
  title: string;
  /** From the catalogue; the file itself has the last word. */
  durationS: number;
  /** A file that plays everywhere and starts at once. */
  progressiveUrl: string | null;
  /** The multivariant playlist. */
  hlsUrl: string | null;
  playlists: InlinePlaylists | null;
  posterUrl: string | null;
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
    categories: video.categories.map(({ category }) => category.slug),
  };
}

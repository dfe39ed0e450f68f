import type { CaptionTrack } from "#contract/videos/captions.ts";
import type { Chapter, Video, VideoSound } from "#contract/videos/videos.ts";

/** Video as the player needs it. */
export interface PlayerSource {
  id: string;
  slug: string;
  title: string;
  /** Stored duration. The duration of the file replaces it once it is known. */
  durationS: number;
  /** Progressive MP4, which plays everywhere and starts soonest. */
  progressiveUrl: string | null;
  /** Multivariant playlist. */
  hlsUrl: string | null;
  /** Volume factors with which the file and the ladder are as loud as other videos. */
  fileGain: number;
  ladderGain: number;
  posterUrl: string | null;
  captions: readonly CaptionTrack[];
  /**
   * Audio tracks of the ladder. The first one is also in the progressive file. Empty if there is
   * only one.
   */
  sounds: readonly VideoSound[];
  chapters: readonly Chapter[];
  categories: string[];
  tags: string[];
}

/** @param normalizesLoudness whether the site plays all videos at the same loudness. */
export function toPlayerSource(video: Video, normalizesLoudness: boolean): PlayerSource {
  const { file = 1, ladder = 1 } = (normalizesLoudness && video.soundFactors) || {};
  return {
    id: video.id,
    slug: video.slug,
    title: video.title,
    durationS: video.duration,
    progressiveUrl: video.videoUrl,
    hlsUrl: video.hlsUrl,
    fileGain: file,
    ladderGain: ladder,
    posterUrl: video.posterUrl ?? video.thumbnailUrl,
    captions: video.captions ?? [],
    sounds: video.sounds ?? [],
    chapters: video.chapters ?? [],
    categories: video.categories.map(({ category }) => category.slug),
    tags: video.tags.map(({ tag }) => tag.slug),
  };
}

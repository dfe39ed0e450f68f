import type { CaptionTrack } from "#contract/videos/captions.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { readChapters } from "#server/lib/chapters.ts";
import { planGainDb } from "#server/media/plan/loudness.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { mayPlay, openPreviewOf } from "../may-play.ts";
import type { HydratedVideo } from "./video-list.repository.ts";
import { cleanTranslations } from "../translations.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";

/**
 * Converts a video to the form for a viewer. Admins get additional fields. A viewer who may not play
 * the video gets no address of a file besides its pictures.
 */
export function presentVideo(video: HydratedVideo, viewer: Viewer): Video {
  const { row, labels } = video;
  const isLocked = !mayPlay(video, viewer);
  const thumbnail = mediaUrl(row.thumbnail_key);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    ...(Object.keys(row.translations).length > 0
      ? { translations: presentTranslations(row, isLocked) }
      : {}),
    thumbnail,
    thumbnailUrl: thumbnail,
    posterUrl: mediaUrl(row.poster_key),
    ...(isLocked
      ? {
          isLocked,
          videoUrl: null,
          smallVideoUrl: null,
          hlsUrl: null,
          previewUrl: mediaUrl(openPreviewOf(row)),
          storyboardUrl: null,
        }
      : presentMedia(row)),
    fileFormat: row.file_format,
    duration: Math.round(row.duration_s * 1000) / 1000,
    width: row.width,
    height: row.height,
    views: row.views,
    likes: row.likes,
    isLiked: false,
    isPublished: row.is_published,
    isPremium: row.is_premium,
    ...presentVisibility(row, viewer),
    ...((viewer.isAdmin ? row.is_sensitive : row.is_age_limited) ? { isSensitive: true } : {}),
    ...(row.embedding === "site" ? {} : { embedding: row.embedding }),
    ...presentOrigin(video, viewer),
    ...(video.clips.listed > 0 ? { hasClips: true } : {}),
    status: row.status,
    createdAt: row.created_at.toISOString(),
    publishedAt: row.published_at?.toISOString() ?? null,
    categories: labels.categories.map((category) => ({ category })),
    tags: labels.tags.map((tag) => ({ tag })),
    actors: labels.actors.map((actor) => ({ actor })),
    ...(viewer.isAdmin
      ? {
          failureReason: row.failure_reason,
          mediaNotices: row.media_notices,
          loudness: row.loudness,
          progress: row.progress,
          version: row.version,
          ...(video.clips.count > 0 ? { clipCount: video.clips.count } : {}),
          blockedCountries: row.blocked_countries,
          midrollTimes: row.midroll_times,
          publishAt: row.publish_at?.toISOString() ?? null,
          sizeBytes: row.stored_bytes + (row.source_bytes ?? 0),
        }
      : {}),
  };
}

/** Admins get the chosen visibility. Visitors get the effective one, which long videos limit. */
function presentVisibility(row: HydratedVideo["row"], viewer: Viewer): Pick<Video, "visibility"> {
  if (viewer.isAdmin) return { visibility: row.visibility };
  return row.shown_visibility === "public" ? {} : { visibility: row.shown_visibility };
}

function presentOrigin({ row, origin }: HydratedVideo, viewer: Viewer): Pick<Video, "clipOf"> {
  const isOpen = row.held_visibility === "public" || row.held_visibility === "unlisted";
  if (origin === null || !(isOpen || viewer.isAdmin)) return {};
  const { isTrashed, ...about } = origin;
  return {
    clipOf: {
      ...about,
      startS: row.clip_start_s ?? 0,
      endS: row.clip_end_s ?? 0,
      ...(isTrashed ? { isTrashed } : {}),
    },
  };
}

/** Returns the translations, with the chapters of their descriptions for those who may play the video. */
function presentTranslations(row: HydratedVideo["row"], isLocked: boolean): Video["translations"] {
  const given = Object.entries(cleanTranslations(row.translations));
  return Object.fromEntries(
    given.map(([code, texts]) => {
      const chapters = isLocked ? [] : readChapters(texts.description ?? null, row.duration_s);
      return [code, chapters.length > 0 ? { ...texts, chapters } : texts];
    }),
  );
}

/** Returns the fields that only those who may play the video get. */
function presentMedia(row: HydratedVideo["row"]) {
  const described = readChapters(row.description, row.duration_s);
  const chapters = described.length > 0 ? described : row.chapters;
  const soundFactors = presentFactors(row);
  return {
    videoUrl: mediaUrl(row.progressive_key),
    smallVideoUrl: mediaUrl(row.progressive_small_key),
    hlsUrl: mediaUrl(row.hls_key),
    previewUrl: mediaUrl(row.preview_key),
    storyboardUrl: mediaUrl(row.storyboard_key),
    ...(row.sounds.length > 1 ? { sounds: row.sounds } : {}),
    ...(soundFactors === null ? {} : { soundFactors }),
    ...(row.captions.length > 0 ? { captions: row.captions.map(presentCaption) } : {}),
    ...(chapters.length > 0 ? { chapters } : {}),
  };
}

/** Returns volume factors. Players can lower the volume but can't raise it. */
function presentFactors(row: HydratedVideo["row"]): Video["soundFactors"] | null {
  const wantedDb = planGainDb(row.loudness);
  const factorOf = (gainDb: number): number =>
    Math.round(10 ** (Math.min(0, wantedDb - gainDb) / 20) * 1000) / 1000;
  const [file, ladder] = [factorOf(row.file_gain_db), factorOf(row.ladder_gain_db)];
  if (file === 1 && ladder === 1) return null;
  return { ...(file === 1 ? {} : { file }), ...(ladder === 1 ? {} : { ladder }) };
}

const presentCaption = (caption: StoredCaption): CaptionTrack => ({
  language: caption.language,
  name: caption.name,
  url: mediaUrl(caption.key),
  ...(caption.isDefault ? { isDefault: true } : {}),
  ...(caption.isForced ? { isForced: true } : {}),
  ...(caption.isDescription === true ? { isDescription: true } : {}),
});

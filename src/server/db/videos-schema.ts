import type { Translations } from "#contract/videos/translations.ts";
import type { ColumnType, Generated } from "kysely";
import type { Loudness, VideoSound, VideoStatus, Visibility } from "#contract/videos/videos.ts";
import type { Count, NullableDate, Stamp } from "./column-types.ts";
import type { StoredCaption } from "./stored-caption.ts";

export interface VideosTable {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  status: Generated<VideoStatus>;
  failure_reason: string | null;
  /** Failures of processing so far, without crashes of the worker. */
  failures: Generated<number>;
  progress: number | null;
  is_published: Generated<boolean>;
  visibility: Generated<Visibility>;
  /** Published, ready and public, so in lists; the database computes it. */
  is_listed: ColumnType<boolean, never, never>;
  /** Published, ready and not private: visitors see it at its address. */
  is_reachable: ColumnType<boolean, never, never>;
  /** Published, ready and private: a private link shows it. */
  is_linkable: ColumnType<boolean, never, never>;
  /** The secret address of a private video; null without one. */
  link_secret: string | null;
  /** Null for ever. */
  link_expires_at: NullableDate;
  is_premium: Generated<boolean>;
  is_sensitive: Generated<boolean>;
  blocked_countries: Generated<string[]>;
  published_at: NullableDate;
  publish_at: NullableDate;
  /** The user who set `publish_at`. */
  publish_planned_by: string | null;
  file_format: Generated<string>;
  duration_s: Generated<number>;
  width: number | null;
  height: number | null;
  /** Sentences for admins about what differs between the source and what plays. */
  media_notices: Generated<string[]>;
  midroll_times: number[] | null;
  captions: ColumnType<StoredCaption[], string | undefined, string>;
  translations: ColumnType<Translations, string | undefined, string>;
  /** Of its file; those of the description go before them. */
  chapters: ColumnType<{ startS: number; title: string }[], string | undefined, string>;
  /** Null without sound, and until it is measured. */
  loudness: ColumnType<Loudness | null, string | null | undefined, string | null>;
  /** By which the sound of `progressive_key` was raised or, below 0, lowered. */
  file_gain_db: Generated<number>;
  /** The same of the ladder, and of `progressive_small_key`, which is made of it. */
  ladder_gain_db: Generated<number>;
  /** The rate factor of the encoder that suits its picture; null until the ladder is begun. */
  ladder_crf: number | null;
  /** Of the ladder, the one that plays by default first. */
  sounds: ColumnType<VideoSound[], string | undefined, string>;
  media_token: string;
  source_key: string | null;
  /** Null where it is not known, or the original is deleted. */
  source_bytes: number | null;
  /** The size of an original that was deleted after the renditions were made. */
  dropped_bytes: number | null;
  /** Null until it is needed where the file is older than this column. */
  source_sha256: Buffer | null;
  /** Hashes of ten frames; null until its pictures are made, and of videos from before this column. */
  fingerprint: Buffer | null;
  poster_key: string | null;
  thumbnail_key: string | null;
  progressive_key: string | null;
  progressive_small_key: string | null;
  hls_key: string | null;
  preview_key: string | null;
  storyboard_key: string | null;
  stored_bytes: Count;
  views: Count;
  likes: Count;
  engaged: Count;
  completed: Count;
  watch_time_s: Generated<number>;
  trend: Generated<number>;
  /** Rewards of the For You feed, in forward decay. */
  reward_sum: Generated<number>;
  reward_count: Generated<number>;
  rating: ColumnType<number, never, never>;
  uploaded_by: string | null;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

/** What a new file of a video has in common with the video that it becomes. */
type ProcessedColumns = Pick<
  VideosTable,
  | ("status" | "failure_reason" | "failures" | "progress")
  | ("duration_s" | "width" | "height" | "media_notices" | "chapters")
  | ("loudness" | "file_gain_db" | "ladder_gain_db" | "ladder_crf" | "sounds")
  | (
      | "source_key"
      | "source_bytes"
      | "dropped_bytes"
      | "source_sha256"
      | "stored_bytes"
      | "hls_key"
      | "preview_key"
      | "storyboard_key"
      | "fingerprint"
    )
  | ("poster_key" | "thumbnail_key" | "progressive_key" | "progressive_small_key")
>;

/** A new file of a video; after the switch, what the video had before. */
export interface ReplacementsTable extends ProcessedColumns {
  id: string;
  video_id: string;
  /** The renditions alone are made again: the source is that of the video, and `source_key` is null. */
  is_renewal: Generated<boolean>;
  uploaded_by: string | null;
  uploaded_by_email: string;
  created_at: Stamp;
  switched_at: NullableDate;
}

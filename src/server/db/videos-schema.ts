import type { VideoEmbedding } from "#contract/site/embedding.ts";
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
  /** Number of failures so far, except crashes of the worker. */
  failures: Generated<number>;
  progress: number | null;
  is_published: Generated<boolean>;
  visibility: Generated<Visibility>;
  /** Generated column: published, ready and public. Such videos are in lists. */
  is_listed: ColumnType<boolean, never, never>;
  /** Generated column: what visitors are told of `visibility` and `held_visibility`. */
  shown_visibility: ColumnType<Visibility, never, never>;
  /**
   * Generated column: published, ready and not private. Such videos are visible at their address.
   */
  is_reachable: ColumnType<boolean, never, never>;
  /** Generated column: published, ready and private. Such videos are visible by a private link. */
  is_linkable: ColumnType<boolean, never, never>;
  /** Secret address of a private video; null if there is none. */
  link_secret: string | null;
  /** If null, the link never expires. */
  link_expires_at: NullableDate;
  is_premium: Generated<boolean>;
  is_sensitive: Generated<boolean>;
  /** Generated column: `is_sensitive` or `held_sensitive`. */
  is_age_limited: ColumnType<boolean, never, never>;
  embedding: Generated<VideoEmbedding>;
  blocked_countries: Generated<string[]>;
  /** Generated column: `blocked_countries` and `held_countries`. */
  closed_countries: ColumnType<string[], never, never>;
  /** Video that this one is a clip of. It may be in the trash. */
  clip_of: string | null;
  /** Passage of that video. */
  clip_start_s: number | null;
  clip_end_s: number | null;
  /** How to make the clip's source; null once it is stored. */
  clip_plan: ColumnType<unknown, string | null | undefined, string | null>;
  /** Triggers copy these from the long video. They restrict the clip in addition to its own. */
  held_visibility: ColumnType<Visibility | "hidden", never, never>;
  held_sensitive: ColumnType<boolean, never, never>;
  held_countries: ColumnType<string[], never, never>;
  published_at: NullableDate;
  publish_at: NullableDate;
  /** User who set `publish_at`. */
  publish_planned_by: string | null;
  file_format: Generated<string>;
  duration_s: Generated<number>;
  width: number | null;
  height: number | null;
  /** Notices for admins about differences between the source and the playable files. */
  media_notices: Generated<string[]>;
  /** Kinds of files that couldn't be made, and that the video lives without. */
  skipped_files: Generated<string[]>;
  /** True if older rules may have made the files; see `file-review.jobs.ts`. */
  needs_review: Generated<boolean>;
  midroll_times: number[] | null;
  captions: ColumnType<StoredCaption[], string | undefined, string>;
  translations: ColumnType<Translations, string | undefined, string>;
  /** Chapters from the video's file. Those in the description take precedence. */
  chapters: ColumnType<{ startS: number; title: string }[], string | undefined, string>;
  /** Null if there is no audio, and until it has been measured. */
  loudness: ColumnType<Loudness | null, string | null | undefined, string | null>;
  /** Gain applied to the audio of `progressive_key`. */
  file_gain_db: Generated<number>;
  /** Gain of the ladder, and of `progressive_small_key`, which is made from it. */
  ladder_gain_db: Generated<number>;
  /** Encoder CRF that suits the picture; null until the ladder is started. */
  ladder_crf: number | null;
  /** Audio tracks of the ladder, default first. */
  sounds: ColumnType<VideoSound[], string | undefined, string>;
  media_token: string;
  source_key: string | null;
  /** Null if unknown, or if the original was deleted. */
  source_bytes: number | null;
  /** Size of an original deleted after its renditions were made. */
  dropped_bytes: number | null;
  /** Null until needed, if the file is older than this column. */
  source_sha256: Buffer | null;
  /**
   * Hashes of ten frames. Null until the video's pictures are made, and for videos older than this
   * column.
   */
  fingerprint: Buffer | null;
  poster_key: string | null;
  thumbnail_key: string | null;
  progressive_key: string | null;
  progressive_small_key: string | null;
  hls_key: string | null;
  preview_key: string | null;
  storyboard_key: string | null;
  /** Sound of `progressive_key` for podcast apps; null unless a podcast needs it. */
  audio_key: string | null;
  stored_bytes: Count;
  views: Count;
  /** Number of `views` that came from another site. They are shown but don't count in rankings. */
  imported_views: Count;
  likes: Count;
  engaged: Count;
  completed: Count;
  watch_time_s: Generated<number>;
  trend: Generated<number>;
  /** Rewards of the For You feed, in forward decay. */
  reward_sum: Generated<number>;
  reward_count: Generated<number>;
  /** Hour of the last weighted play, and the sum of address weights in that hour. */
  weighed_hour: NullableDate;
  hour_weight: Generated<number>;
  /** Number of `likes` that are shown but don't count in rankings. */
  unranked_likes: Count;
  rating: ColumnType<number, never, never>;
  uploaded_by: string | null;
  version: Generated<number>;
  created_at: Stamp;
  updated_at: Stamp;
}

/** Columns that a video's new file shares with the video it becomes. */
type ProcessedColumns = Pick<
  VideosTable,
  | ("status" | "failure_reason" | "failures" | "progress")
  | ("duration_s" | "width" | "height" | "media_notices" | "skipped_files" | "chapters")
  | "needs_review"
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
  | "audio_key"
  | ("poster_key" | "thumbnail_key" | "progressive_key" | "progressive_small_key")
>;

/** New file of a video. After the switch, it contains the video's old files. */
export interface ReplacementsTable extends ProcessedColumns {
  id: string;
  video_id: string;
  /**
   * True if only the renditions are made again: the source is the video's, and `source_key` is
   * null.
   */
  is_renewal: Generated<boolean>;
  uploaded_by: string | null;
  uploaded_by_email: string;
  created_at: Stamp;
  switched_at: NullableDate;
}

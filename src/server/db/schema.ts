import type { CornerRadius, SiteFont } from "#contract/site/theme.ts";
import type { ColumnType, Generated } from "kysely";
import type { BulkAction, BulkJob, BulkRequest } from "#contract/videos/admin-videos.ts";
import type { ImportJob } from "#contract/videos/imports.ts";
import type { CommentMode } from "#contract/visitors/comments.ts";
import type { Role } from "#contract/accounts/auth.ts";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import type { EfficientMode } from "#contract/videos/ladders.ts";
import type { PremiumAccess } from "#contract/visitors/passes.ts";
import type { SiteEmbedding } from "#contract/site/embedding.ts";
import type { PodcastCategory } from "#contract/site/podcast-categories.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { Language } from "#contract/site/languages.ts";
import type { DeliveryState } from "#contract/site/webhooks.ts";
import type {
  AdStatsDailyTable,
  AdsTable,
  AdvertisersTable,
  CampaignsTable,
} from "./ads-schema.ts";
import type { ReplacementsTable, VideosTable } from "./videos-schema.ts";
import type { Count, NullableDate, Stamp } from "./column-types.ts";
import type { CommentsTable, ReportSendersTable, ReportsTable } from "./moderation-schema.ts";

/** Tables for Kysely. Must match the migrations. */
export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  setup_token: SetupTokenTable;
  user_totp: {
    user_id: string;
    /** Column of an earlier version. */
    secret: Buffer | null;
    sealed: Buffer | null;
    last_step: Count;
    is_active: Generated<boolean>;
  };
  recovery_codes: { user_id: string; code_hash: Buffer };
  passkeys: PasskeysTable;
  api_tokens: ApiTokensTable;
  used_challenges: { hash: Buffer; expires_at: Date };
  sign_in_failures: SignInFailuresTable;
  write_counts: WriteCountsTable;
  upload_locks: UploadLocksTable;
  published_media: { media_token: string };
  moved_media: { key: string };
  /** Replaced files that cached pages may request until then. */
  retired_files: { key: string; goes_at: Date };
  staged_uploads: StagedUploadsTable;
  staged_upload_parts: { upload_id: string; number: number; etag: string; size_bytes: number };
  settings: SettingsTable;
  own_pages: OwnPagesTable;
  own_texts: OwnTextsTable;
  passes: PassesTable;
  pass_devices: PassDevicesTable;
  secrets: SecretsTable;
  media_storage: MediaStorageTable;
  videos: VideosTable;
  video_replacements: ReplacementsTable;
  removed_videos: {
    id: string;
    title: string;
    media_token: string;
    source_key: string | null;
    size_bytes: number;
    kept_rows: unknown;
    /** What becomes of its clips when it is deleted for good; null leaves them as drafts. */
    clips: "keep" | "remove" | null;
    removed_by: string;
    removed_at: Stamp;
  };
  categories: LabelTable;
  tags: LabelTable;
  actors: LabelTable;
  video_categories: LabelLink & { category_id: string };
  video_tags: LabelLink & { tag_id: string };
  video_actors: LabelLink & { actor_id: string };
  slug_redirects: {
    kind: "videos" | "categories" | "tags" | "actors";
    slug: string;
    target_id: string;
    created_at: Stamp;
  };
  likes: {
    video_id: string;
    visitor_id: string;
    created_at: Stamp;
    /** True if it counts in rankings, not only in the number on screen. */
    is_ranked: Generated<boolean>;
  };
  favorites: { video_id: string; visitor_id: string; created_at: Stamp };
  watches: WatchesTable;
  media_bytes: { address_group: string; slot: number; bytes: number };
  address_counts: {
    video_id: string;
    address_group: string;
    plays: Generated<number>;
    completions: Generated<number>;
    likes: Generated<number>;
    created_at: Stamp;
  };
  video_stats_hourly: VideoStatsHourlyTable;
  video_stats_daily: Omit<VideoStatsHourlyTable, "hour" | "impressions"> & { day: Date };
  site_stats_hourly: SiteStatsHourlyTable;
  ads: AdsTable;
  ad_stats_daily: AdStatsDailyTable;
  ad_serve_events: { serve: string; ad_id: string; event: string; at: Date };
  bulk_jobs: BulkJobsTable;
  imports: ImportsTable;
  import_rows: ImportRowsTable;
  video_origins: {
    source: string;
    source_id: string;
    video_id: string;
    /** False until the captions and addresses of the video are stored, too. */
    is_complete: Generated<boolean>;
    created_at: Stamp;
  };
  old_addresses: { address: string; video_id: string };
  watched_files: {
    /** Hash of path, size and time. */
    key: Buffer;
    /** Differs each time the same file is put into the folder. */
    id: string;
    path: string;
    /** Hash of the sizes and times of the file and those beside it. */
    signature: Buffer;
    resting_since: Date;
    state: Generated<"waiting" | "done" | "failed">;
    /** False if the file is still where it was found. */
    is_moved: Generated<boolean>;
    attempts: Generated<number>;
    retry_at: Date | null;
    note: string | null;
    video_id: string | null;
    updated_at: Stamp;
  };
  watched_folder: {
    id: Generated<number>;
    looked_at: Date | null;
    problem: string | null;
    /** Device and number of the folder when something was in it. */
    place: string | null;
  };
  bulk_job_parts: { job_id: string; position: number; video_ids: string[] };
  ad_errors_daily: { ad_id: string; day: string; cause: string; errors: number };
  ad_reservations: {
    serve: string;
    ad_id: string;
    visitor_id: string;
    address_group: string;
    is_single: boolean;
    expires_at: Date;
    campaign_id: string | null;
    until_viewable: Generated<boolean>;
  };
  advertisers: AdvertisersTable;
  campaigns: CampaignsTable;
  campaign_days: { campaign_id: string; day: string; currency: string; micros: number };
  campaign_hours: { campaign_id: string; hour: Date; impressions: number };
  ad_requests_daily: {
    day: string;
    placement: string;
    requests: number;
    filled: number;
    robot_requests: number;
    /** Part of each count that comes from embeds. */
    embed_requests: Generated<number>;
    embed_filled: Generated<number>;
    embed_robot_requests: Generated<number>;
  };
  ad_visitor_days: { visitor_id: string; day: string; ad_id: string; impressions: number };
  audit_log: AuditLogTable;
  reports: ReportsTable;
  report_senders: ReportSendersTable;
  comments: CommentsTable;
  report_notes: {
    id: string;
    report_id: string;
    user_email: string;
    text: string;
    created_at: Stamp;
  };
  idempotent_requests: {
    id: Buffer;
    /** Null while the request runs. */
    status: number | null;
    body: string | null;
    claimed_at: Generated<Date>;
    created_at: Stamp;
  };
  /** Generated column. */
  caption_passages: { video_id: string; number: number; start_s: number; text: string };
  caption_stale: { video_id: string };
  webhooks: {
    id: string;
    url: string;
    events: string[];
    secret: string;
    is_enabled: Generated<boolean>;
    created_at: Stamp;
  };
  webhook_deliveries: WebhookDeliveriesTable;
  blocked_files: {
    sha256: Buffer;
    size_bytes: number;
    /** Hashes of ten frames; null if the video had none. */
    fingerprint: Buffer | null;
    video_title: string;
    blocked_by: string;
    created_at: Stamp;
  };
}

/**
 * `listed_at`: publication time of a listed video, otherwise null. Maintained by triggers.
 * `series_key`: sorts the videos of a series. A trigger sets that of new videos.
 */
interface LabelLink {
  video_id: string;
  position: Generated<number>;
  series_key: Generated<number | null>;
  listed_at: ColumnType<Date | null, never, never>;
}

interface UsersTable {
  id: string;
  email: string;
  name: Generated<string>;
  role: Role;
  is_owner: Generated<boolean>;
  password_hash: string;
  disabled_at: NullableDate;
  last_seen_at: NullableDate;
  /** Time of the last mail with a reset link, and the link's expiry. */
  reset_sent_at: NullableDate;
  reset_expires_at: NullableDate;
  created_at: Stamp;
  updated_at: Stamp;
}

interface SessionsTable {
  id: Generated<string>;
  token_hash: Buffer;
  user_id: string;
  user_agent: Generated<string>;
  last_seen_at: Stamp;
  confirmed_at: Stamp;
  created_at: Stamp;
  expires_at: Date;
}

interface ApiTokensTable {
  id: string;
  user_id: string;
  name: string;
  token_hash: Buffer;
  scopes: string[];
  created_at: Stamp;
  expires_at: Date;
  last_used_at: NullableDate;
}

interface PasskeysTable {
  id: string;
  user_id: string;
  name: string;
  public_key: Buffer;
  counter: Count;
  transports: string[];
  created_at: Stamp;
  last_used_at: NullableDate;
}

interface InvitationsTable {
  id: string;
  email: string;
  role: Role;
  is_owner: boolean;
  token_hash: Buffer;
  invited_by: string | null;
  created_at: Stamp;
  expires_at: Date;
}

interface SetupTokenTable {
  id: Generated<number>;
  token_hash: Buffer;
  expires_at: Date;
}

interface SignInFailuresTable {
  key: Buffer;
  account_key: Buffer | null;
  failures: number;
  blocked_until: Date;
  updated_at: Stamp;
}

interface OwnTextsTable {
  language: Language;
  /** Id as in `standardTexts`. */
  id: string;
  text: string;
}

export interface PinnedLabel {
  kind: LabelKind;
  id: string;
}

interface SettingsTable {
  id: Generated<number>;
  site_name: string | null;
  site_description: string | null;
  site_url: string | null;
  /** Origin under which the operator opened the set-up link, used in account mails. */
  confirmed_url: string | null;
  logo_url: string | null;
  favicon_url: string | null;
  accent_color: string | null;
  ground_color: string | null;
  corner_radius: Generated<CornerRadius>;
  font: Generated<SiteFont>;
  source_url: string | null;
  security_contact: string | null;
  require_second_factor: Generated<boolean>;
  filter_categories: Generated<string[]>;
  browse_listings: Generated<boolean>;
  trash_days: Generated<number>;
  midroll_times: number[] | null;
  terms_markdown: string | null;
  privacy_markdown: string | null;
  contact_markdown: string | null;
  takedown_log: Generated<boolean>;
  age_gate: Generated<boolean>;
  language: Generated<Language>;
  /** ISO 3166-1 alpha-2. */
  blocked_countries: Generated<string[]>;
  ad_origins: Generated<string[]>;
  ads_txt: string | null;
  app_ads_txt: string | null;
  sellers_json: string | null;
  preroll_min_video_s: Generated<number>;
  break_gap_s: Generated<number>;
  pod_max_s: Generated<number>;
  midroll_every_min: Generated<number>;
  time_zone: Generated<string>;
  comments: Generated<CommentMode>;
  comment_words: Generated<string[]>;
  comment_links: Generated<number>;
  even_loudness: Generated<boolean>;
  replay_peak: Generated<boolean>;
  keep_originals: Generated<boolean>;
  efficient_renditions: Generated<EfficientMode>;
  crawl_search: Generated<boolean>;
  crawl_ai: Generated<boolean>;
  crawl_others: Generated<boolean>;
  media_on_other_sites: Generated<boolean>;
  media_without_origin: Generated<boolean>;
  media_bytes_per_hour: number | null;
  podcast: Generated<boolean>;
  podcast_category: Generated<PodcastCategory>;
  embedding: Generated<SiteEmbedding>;
  ads_in_embeds: Generated<boolean>;
  embed_origins: Generated<string[]>;
  pinned_labels: ColumnType<PinnedLabel[], string | undefined, string | undefined>;
  premium_access: Generated<PremiumAccess>;
  members_text: string | null;
  members_url: string | null;
  members_in_feed: Generated<boolean>;
  watch_folder: Generated<boolean>;
  watch_publishes: Generated<boolean>;
  watch_rest_s: Generated<number>;
  updated_at: Stamp;
  version: Generated<number>;
}

interface PassesTable {
  id: string;
  /** SHA-256 of the code. */
  code_hash: Buffer;
  /** Code, encrypted so that its owner can show it again. */
  sealed_code: Buffer;
  note: string | null;
  email: string | null;
  /** Shop's own name for the pass. */
  reference: string | null;
  /** Terms as first requested, which later requests with the same reference must repeat. */
  terms: unknown;
  valid_until: Date;
  max_devices: number;
  revoked_at: NullableDate;
  /** Time at which webhooks learned that the pass has ended. */
  ended_at: NullableDate;
  last_used_at: NullableDate;
  created_at: Stamp;
}

interface PassDevicesTable {
  id: string;
  pass_id: string;
  /** SHA-256 of the device's cookie. */
  token_hash: Buffer;
  name: string;
  created_at: Stamp;
  last_used_at: Stamp;
}

interface SecretsTable {
  name: string;
  value: Buffer;
  created_at: Stamp;
}

interface StagedUploadsTable {
  id: string;
  account: string | null;
  size_bytes: number;
  metadata: Record<string, string | null>;
  s3_upload_id: string;
  last_part: Generated<number>;
  /** Number of bytes in stored parts. */
  parts_bytes: Count;
  /** Object with the bytes after them, too few for a part. */
  tail_key: string | null;
  tail_bytes: Generated<number>;
  is_complete: Generated<boolean>;
  created_at: Stamp;
  touched_at: Stamp;
}

interface MediaStorageTable {
  id: Generated<number>;
  kind: "disk" | "s3" | null;
  storage_id: Generated<string>;
  other_kind: "disk" | "s3" | null;
  other_storage_id: string | null;
}

interface LabelTable {
  id: string;
  name: string;
  /**
   * Identity of the name (`foldName`). Not unique, because older versions compared slugs. Null in
   * rows that a process of an older version adds during an upgrade.
   */
  folded_name: string | null;
  slug: string;
  description: string | null;
  image_key: string | null;
  is_series: Generated<boolean>;
  /** True if the label's feed is a podcast. */
  is_podcast: Generated<boolean>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface OwnPagesTable {
  id: string;
  address: string;
  place: string;
  is_published: boolean;
  is_indexed: boolean;
  position: number;
  texts: ColumnType<unknown, string, string>;
  version: Generated<number>;
  updated_at: Stamp;
}

interface WatchesTable {
  visitor_id: string;
  video_id: string;
  counted_at: Date;
  engaged: Generated<boolean>;
  completed: Generated<boolean>;
  watch_time_s: Generated<number>;
  updated_at: Stamp;
  /** Weight of the play in rankings: 0 if implausible. */
  reward_weight: Generated<number>;
  /** Visitor's factor of `reward_weight`. The other factor is the address's. */
  visitor_weight: Generated<number>;
  /** Origin of the counted view; null if the client didn't send it. */
  origin: PlayOrigin | null;
  /** Played parts of the video, see `PlayBins`; null if the play doesn't count in curves. */
  bins: Generated<Buffer | null>;
  bins_since: Generated<Date | null>;
}

interface VideoStatsHourlyTable {
  video_id: string;
  hour: Date;
  views: Count;
  /** Views that don't count in Trending. */
  unranked_views: Count;
  engaged: Count;
  /** Like `likes`, only those that count in Trending. */
  completed: Count;
  likes: Count;
  watch_time_s: Generated<number>;
  impressions: Count;
}

interface SiteStatsHourlyTable {
  hour: Date;
  views: Count;
  likes: Count;
  completed: Count;
  watch_time_s: Generated<number>;
}

interface BulkJobsTable {
  id: string;
  action: ColumnType<BulkAction, string, never>;
  target: ColumnType<BulkRequest["target"], string, never>;
  state: Generated<BulkJob["state"]>;
  total: Count;
  done: Count;
  changed: Count;
  failure_reason: string | null;
  created_by: string | null;
  created_by_email: string;
  request_id: string | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ImportsTable {
  id: string;
  kind: ImportJob["kind"];
  file_name: string;
  state: Generated<ImportJob["state"]>;
  /** Choices of an import from another site; null for CSV. */
  options: ColumnType<unknown, string | undefined, string>;
  /** Sentences about the disk space and the time that the import needs. */
  note: string | null;
  columns: string[];
  mapping: ColumnType<(string | null)[], string, string>;
  total: Count;
  done: Count;
  created: Count;
  updated: Count;
  unchanged: Count;
  problems: Count;
  failure_reason: string | null;
  created_by: string | null;
  created_by_email: string;
  request_id: string | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ImportRowsTable {
  import_id: string;
  position: number;
  line: number;
  /** Id of the entry created by the row. */
  target_id: string;
  cells: string[];
  outcome: "created" | "updated" | "unchanged" | "problem" | null;
  problem: string | null;
  /** What was repaired in a video of another site. */
  note: string | null;
  is_applied: Generated<boolean>;
}

interface AuditLogTable {
  id: string;
  at: Stamp;
  user_id: string | null;
  user_email: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: unknown;
  after: unknown;
  request_id: string | null;
}

interface WebhookDeliveriesTable {
  id: Generated<string>;
  webhook_id: string;
  event: string;
  data: Record<string, unknown>;
  state: Generated<DeliveryState>;
  attempts: Count;
  next_at: Stamp;
  status: number | null;
  problem: string | null;
  created_at: Stamp;
  delivered_at: NullableDate;
}

interface WriteCountsTable {
  /** Minutes since 1970. */
  minute: number;
  key: string;
  writes: number;
}

interface UploadLocksTable {
  upload_id: string;
  holder: string;
  expires_at: Date;
  is_wanted: Generated<boolean>;
}

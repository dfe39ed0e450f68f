// Generated from the migrations by `npm run database-types`.
import type { ColumnType, Generated } from "kysely";
import type { AdDevice, AdPlacement, AdTrust, AdType } from "#ads/contract/ads.ts";
import type { AdRotation, CampaignGoal, CampaignPriority, PriceModel } from "#ads/contract/campaigns.ts";
import type { Role } from "#contract/accounts/auth.ts";
import type { SiteEmbedding, VideoEmbedding } from "#contract/site/embedding.ts";
import type { Language } from "#contract/site/languages.ts";
import type { PodcastCategory } from "#contract/site/podcast-categories.ts";
import type { CornerRadius, SiteFont } from "#contract/site/theme.ts";
import type { DeliveryState } from "#contract/site/webhooks.ts";
import type { ClipPlan } from "#contract/videos/clips.ts";
import type { BulkAction, BulkJob, BulkRequest } from "#contract/videos/admin-videos.ts";
import type { ImportJob } from "#contract/videos/imports.ts";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { EfficientMode } from "#contract/videos/ladders.ts";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import type { Translations } from "#contract/videos/translations.ts";
import type { Loudness, VideoSound, VideoStatus, Visibility } from "#contract/videos/videos.ts";
import type { CommentMode } from "#contract/visitors/comments.ts";
import type { PremiumAccess } from "#contract/visitors/passes.ts";
import type { Notice, ReportKind, ReportOutcome, ReportState } from "#contract/visitors/reports.ts";
import type { BeforeCut } from "./before-cut.ts";
import type { PinnedLabel } from "./column-types.ts";
import type { StoredCaption } from "./stored-caption.ts";

export interface Database {
  actors: ActorsTable;
  ad_errors_daily: AdErrorsDailyTable;
  ad_requests_daily: AdRequestsDailyTable;
  ad_reservations: AdReservationsTable;
  ad_serve_events: AdServeEventsTable;
  ad_stats_daily: AdStatsDailyTable;
  ad_unverified_calls: AdUnverifiedCallsTable;
  ad_visitor_days: AdVisitorDaysTable;
  address_counts: AddressCountsTable;
  ads: AdsTable;
  advertisers: AdvertisersTable;
  api_tokens: ApiTokensTable;
  audit_log: AuditLogTable;
  blocked_files: BlockedFilesTable;
  bulk_job_parts: BulkJobPartsTable;
  bulk_jobs: BulkJobsTable;
  campaign_days: CampaignDaysTable;
  campaign_hours: CampaignHoursTable;
  campaigns: CampaignsTable;
  caption_passages: CaptionPassagesTable;
  caption_stale: CaptionStaleTable;
  categories: CategoriesTable;
  change_version: ChangeVersionTable;
  comments: CommentsTable;
  device_transfers: DeviceTransfersTable;
  document_words: DocumentWordsTable;
  favorites: FavoritesTable;
  idempotent_requests: IdempotentRequestsTable;
  import_rows: ImportRowsTable;
  imports: ImportsTable;
  invitations: InvitationsTable;
  likes: LikesTable;
  media_bytes: MediaBytesTable;
  media_storage: MediaStorageTable;
  moved_media: MovedMediaTable;
  old_addresses: OldAddressesTable;
  own_pages: OwnPagesTable;
  own_texts: OwnTextsTable;
  pass_devices: PassDevicesTable;
  passes: PassesTable;
  passkeys: PasskeysTable;
  published_media: PublishedMediaTable;
  ranking_window: RankingWindowTable;
  recovery_codes: RecoveryCodesTable;
  referral_stats_daily: ReferralStatsDailyTable;
  referral_visitors: ReferralVisitorsTable;
  referrals: ReferralsTable;
  related_queue: RelatedQueueTable;
  related_videos: RelatedVideosTable;
  removed_videos: RemovedVideosTable;
  report_notes: ReportNotesTable;
  report_senders: ReportSendersTable;
  reports: ReportsTable;
  retired_files: RetiredFilesTable;
  search_stale: SearchStaleTable;
  search_words: SearchWordsTable;
  secrets: SecretsTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  setup_token: SetupTokenTable;
  sign_in_failures: SignInFailuresTable;
  site_bins: SiteBinsTable;
  site_sources: SiteSourcesTable;
  site_stats_hourly: SiteStatsHourlyTable;
  slug_redirects: SlugRedirectsTable;
  staged_upload_parts: StagedUploadPartsTable;
  staged_uploads: StagedUploadsTable;
  tags: TagsTable;
  tallies: TalliesTable;
  tally_changes: TallyChangesTable;
  upload_locks: UploadLocksTable;
  used_challenges: UsedChallengesTable;
  user_totp: UserTotpTable;
  users: UsersTable;
  video_actors: VideoActorsTable;
  video_bins: VideoBinsTable;
  video_categories: VideoCategoriesTable;
  video_origins: VideoOriginsTable;
  video_range_scores: VideoRangeScoresTable;
  video_replacements: VideoReplacementsTable;
  video_search: VideoSearchTable;
  video_sources: VideoSourcesTable;
  video_stats_daily: VideoStatsDailyTable;
  video_stats_hourly: VideoStatsHourlyTable;
  video_tags: VideoTagsTable;
  videos: VideosTable;
  watched_files: WatchedFilesTable;
  watched_folder: WatchedFolderTable;
  watches: WatchesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhooks: WebhooksTable;
  write_counts: WriteCountsTable;
}

export interface ActorsTable {
  created_at: Generated<Date>;
  description: string | null;
  /** Identity of the name (`foldName`). Not unique, because older versions compared slugs. Null in rows that a process of an older version adds during an upgrade. */
  folded_name: string | null;
  id: string;
  image_key: string | null;
  /** True if the label's feed is a podcast. */
  is_podcast: Generated<boolean>;
  is_series: Generated<boolean>;
  name: string;
  name_folded: ColumnType<string, never, never>;
  /** First address of the podcast, from which its `podcast:guid` is made. Null until its feed is read. */
  podcast_guid_base: string | null;
  slug: string;
  updated_at: Generated<Date>;
}

export interface AdErrorsDailyTable {
  ad_id: string;
  cause: string;
  day: string;
  errors: number;
}

export interface AdRequestsDailyTable {
  day: string;
  embed_filled: Generated<number>;
  embed_requests: Generated<number>;
  embed_robot_requests: Generated<number>;
  filled: number;
  placement: string;
  requests: number;
  robot_requests: number;
}

export interface AdReservationsTable {
  ad_id: string;
  address_group: Generated<string>;
  campaign_id: string | null;
  expires_at: Date;
  is_single: boolean;
  serve: number;
  until_viewable: Generated<boolean>;
  visitor_id: string;
}

export interface AdServeEventsTable {
  ad_id: string;
  at: Date;
  event: string;
  serve: number;
}

export interface AdStatsDailyTable {
  ad_id: string;
  clicks: Generated<number>;
  completes: Generated<number>;
  day: string;
  embed_clicks: Generated<number>;
  embed_completes: Generated<number>;
  embed_errors: Generated<number>;
  embed_first_quartiles: Generated<number>;
  /** Like the other columns with `embed`, the part of a count that comes from embeds. */
  embed_impressions: Generated<number>;
  embed_midpoints: Generated<number>;
  embed_skips: Generated<number>;
  embed_starts: Generated<number>;
  embed_suspect_clicks: Generated<number>;
  embed_suspect_impressions: Generated<number>;
  embed_third_quartiles: Generated<number>;
  embed_verified_clicks: Generated<number>;
  embed_verified_impressions: Generated<number>;
  embed_viewable: Generated<number>;
  errors: Generated<number>;
  first_quartiles: Generated<number>;
  impressions: Generated<number>;
  midpoints: Generated<number>;
  placement: AdPlacement;
  skips: Generated<number>;
  starts: Generated<number>;
  suspect_clicks: Generated<number>;
  suspect_impressions: Generated<number>;
  third_quartiles: Generated<number>;
  verified_clicks: Generated<number>;
  verified_impressions: Generated<number>;
  viewable: Generated<number>;
}

export interface AdUnverifiedCallsTable {
  ad_id: string;
  caller: string;
  counted: number;
  event: string;
  since: Date;
}

export interface AdVisitorDaysTable {
  ad_id: string;
  day: string;
  impressions: number;
  visitor_id: string;
}

export interface AddressCountsTable {
  address_group: string;
  completions: Generated<number>;
  created_at: Generated<Date>;
  likes: Generated<number>;
  plays: Generated<number>;
  video_id: string;
}

export interface AdsTable {
  campaign_id: string | null;
  clicks: Generated<number>;
  content: string | null;
  created_at: Generated<Date>;
  daily_limit: number | null;
  description: string | null;
  ends_at: Date | null;
  has_even_pacing: Generated<boolean>;
  height_px: number | null;
  id: string;
  ignores_break_rules: Generated<boolean>;
  image_url: string | null;
  impressions: Generated<number>;
  is_active: Generated<boolean>;
  is_approved: Generated<boolean>;
  is_bumper: Generated<boolean>;
  is_house: Generated<boolean>;
  link_url: string | null;
  origins: Generated<string[]>;
  placement: AdPlacement;
  starts_at: Date | null;
  target_categories: Generated<string[]>;
  target_devices: Generated<AdDevice[]>;
  target_languages: Generated<string[]>;
  title: string;
  total_limit: number | null;
  trust: Generated<AdTrust>;
  type: AdType;
  updated_at: Generated<Date>;
  vast_tag_url: string | null;
  verified_clicks: Generated<number>;
  verified_impressions: Generated<number>;
  version: Generated<number>;
  visitor_daily_cap: number | null;
  weight: Generated<number>;
  width_px: number | null;
}

export interface AdvertisersTable {
  contact: string | null;
  created_at: Generated<Date>;
  id: string;
  name: string;
  notes: string | null;
  share_hash: Buffer | null;
  version: Generated<number>;
}

export interface ApiTokensTable {
  created_at: Generated<Date>;
  expires_at: Date;
  id: string;
  last_used_at: Date | null;
  name: string;
  scopes: string[];
  token_hash: Buffer;
  user_id: string;
}

export interface AuditLogTable {
  action: string;
  after: unknown;
  at: Generated<Date>;
  before: unknown;
  entity: string;
  entity_id: string | null;
  id: string;
  request_id: string | null;
  user_email: string;
  user_id: string | null;
}

export interface BlockedFilesTable {
  blocked_by: string;
  created_at: Generated<Date>;
  /** Hashes of ten frames; null if the video had none. */
  fingerprint: Buffer | null;
  sha256: Buffer;
  size_bytes: number;
  video_title: string;
}

export interface BulkJobPartsTable {
  job_id: string;
  position: number;
  video_ids: string[];
}

export interface BulkJobsTable {
  action: ColumnType<BulkAction, string, never>;
  changed: Generated<number>;
  created_at: Generated<Date>;
  created_by: string | null;
  created_by_email: string;
  done: Generated<number>;
  failure_reason: string | null;
  id: string;
  request_id: string | null;
  state: Generated<BulkJob["state"]>;
  target: ColumnType<BulkRequest["target"], string, never>;
  total: Generated<number>;
  updated_at: Generated<Date>;
}

export interface CampaignDaysTable {
  campaign_id: string;
  currency: string;
  day: string;
  micros: number;
}

export interface CampaignHoursTable {
  campaign_id: string;
  hour: Date;
  impressions: number;
}

export interface CampaignsTable {
  advertiser_id: string;
  budget_micros: number | null;
  clicks: Generated<number>;
  created_at: Generated<Date>;
  currency: Generated<string>;
  daily_cap: number | null;
  ends_at: Date | null;
  goal: Generated<CampaignGoal>;
  goal_amount: number | null;
  has_even_pacing: Generated<boolean>;
  hourly_cap: number | null;
  id: string;
  impressions: Generated<number>;
  is_active: Generated<boolean>;
  lifetime_cap: number | null;
  name: string;
  price_micros: number | null;
  price_model: Generated<PriceModel>;
  priority: Generated<CampaignPriority>;
  rotation: Generated<AdRotation>;
  separation: string | null;
  starts_at: Date | null;
  target_categories: Generated<string[]>;
  target_countries: Generated<string[]>;
  target_devices: Generated<AdDevice[]>;
  target_hours: Generated<string[]>;
  target_languages: Generated<string[]>;
  target_referrals: Generated<string[]>;
  target_tags: Generated<string[]>;
  version: Generated<number>;
  viewable: Generated<number>;
  visitor_daily_cap: number | null;
}

export interface CaptionPassagesTable {
  number: number;
  start_s: number;
  text: string;
  video_id: string;
  words: ColumnType<string, never, never>;
}

export interface CaptionStaleTable {
  video_id: string;
}

export interface CategoriesTable {
  created_at: Generated<Date>;
  description: string | null;
  /** Identity of the name (`foldName`). Not unique, because older versions compared slugs. Null in rows that a process of an older version adds during an upgrade. */
  folded_name: string | null;
  id: string;
  image_key: string | null;
  /** True if the label's feed is a podcast. */
  is_podcast: Generated<boolean>;
  is_series: Generated<boolean>;
  name: string;
  name_folded: ColumnType<string, never, never>;
  /** First address of the podcast, from which its `podcast:guid` is made. Null until its feed is read. */
  podcast_guid_base: string | null;
  slug: string;
  updated_at: Generated<Date>;
}

export interface ChangeVersionTable {
  is_only: Generated<boolean>;
  version: number;
}

export interface CommentsTable {
  /** Like the column of reports. */
  address_key: string | null;
  created_at: Generated<Date>;
  id: string;
  name: string | null;
  state: "held" | "shown" | "removed";
  /** Plain text. */
  text: string;
  video_id: string;
  visitor_id: string;
}

export interface DeviceTransfersTable {
  address_group: string | null;
  code_hash: Buffer;
  data: string;
  expires_at: Date;
  visitor_id: string | null;
}

export interface DocumentWordsTable {
  word: string;
}

export interface FavoritesTable {
  created_at: Generated<Date>;
  video_id: string;
  visitor_id: string;
}

export interface IdempotentRequestsTable {
  body: string | null;
  claimed_at: Generated<Date>;
  created_at: Generated<Date>;
  id: Buffer;
  /** Null while the request runs. */
  status: number | null;
}

export interface ImportRowsTable {
  cells: string[];
  import_id: string;
  is_applied: Generated<boolean>;
  line: number;
  /** Repairs that the import made to this video, for its report. */
  note: string | null;
  outcome: "created" | "updated" | "unchanged" | "problem" | null;
  position: number;
  problem: string | null;
  /** Id of the entry created by the row. */
  target_id: string;
}

export interface ImportsTable {
  columns: string[];
  created: Generated<number>;
  created_at: Generated<Date>;
  created_by: string | null;
  created_by_email: string;
  done: Generated<number>;
  failure_reason: string | null;
  file_name: string;
  id: string;
  kind: ImportJob["kind"];
  mapping: ColumnType<(string | null)[], string, string>;
  /** Sentences about the disk space and the time that the import needs. */
  note: string | null;
  /** Choices of an import from another site; null for CSV. */
  options: ColumnType<unknown, string | undefined, string> | null;
  problems: Generated<number>;
  request_id: string | null;
  state: Generated<ImportJob["state"]>;
  total: Generated<number>;
  unchanged: Generated<number>;
  updated: Generated<number>;
  updated_at: Generated<Date>;
}

export interface InvitationsTable {
  created_at: Generated<Date>;
  email: string;
  expires_at: Date;
  id: string;
  invited_by: string | null;
  is_owner: Generated<boolean>;
  role: Role;
  token_hash: Buffer;
}

export interface LikesTable {
  created_at: Generated<Date>;
  /** True if it counts in rankings, not only in the number on screen. */
  is_ranked: Generated<boolean>;
  video_id: string;
  visitor_id: string;
}

export interface MediaBytesTable {
  address_group: string;
  bytes: number;
  slot: number;
}

export interface MediaStorageTable {
  id: Generated<number>;
  kind: "disk" | "s3" | null;
  other_kind: "disk" | "s3" | null;
  other_storage_id: string | null;
  storage_id: Generated<string>;
}

export interface MovedMediaTable {
  key: string;
}

export interface OldAddressesTable {
  address: string;
  video_id: string;
}

export interface OwnPagesTable {
  address: string;
  id: string;
  is_indexed: boolean;
  is_published: boolean;
  place: string;
  position: number;
  texts: ColumnType<unknown, string, string>;
  updated_at: Generated<Date>;
  version: Generated<number>;
}

export interface OwnTextsTable {
  /** Id as in `standardTexts`. */
  id: string;
  language: Language;
  text: string;
}

export interface PassDevicesTable {
  created_at: Generated<Date>;
  id: string;
  last_used_at: Generated<Date>;
  name: string;
  pass_id: string;
  /** SHA-256 of the device's cookie. */
  token_hash: Buffer;
}

export interface PassesTable {
  /** SHA-256 of the code. */
  code_hash: Buffer;
  created_at: Generated<Date>;
  email: string | null;
  /** Time at which webhooks learned that the pass has ended. */
  ended_at: Date | null;
  id: string;
  last_used_at: Date | null;
  max_devices: number;
  note: string | null;
  /** Shop's own name for the pass. */
  reference: string | null;
  revoked_at: Date | null;
  /** Code, encrypted so that its owner can show it again. */
  sealed_code: Buffer;
  /** Terms as first requested, which later requests with the same reference must repeat. */
  terms: unknown;
  valid_until: Date;
}

export interface PasskeysTable {
  counter: number;
  created_at: Generated<Date>;
  id: string;
  last_used_at: Date | null;
  name: string;
  public_key: Buffer;
  transports: string[];
  user_id: string;
}

export interface PublishedMediaTable {
  media_token: string;
}

export interface RankingWindowTable {
  hour: Date;
  id: Generated<number>;
}

export interface RecoveryCodesTable {
  code_hash: Buffer;
  user_id: string;
}

export interface ReferralStatsDailyTable {
  day: string;
  plays: Generated<number>;
  referral_id: string;
  unique_visitors: Generated<number>;
  visits: Generated<number>;
}

export interface ReferralVisitorsTable {
  first_day: string;
  last_at: Date;
  last_day: string;
  referral_id: string;
  visitor_id: string;
}

export interface ReferralsTable {
  code: string;
  created_at: Generated<Date>;
  id: string;
  is_active: Generated<boolean>;
  name: string;
  note: string | null;
  target: Generated<string>;
  updated_at: Generated<Date>;
}

export interface RelatedQueueTable {
  is_urgent: boolean;
  video_id: string;
  views: number;
}

export interface RelatedVideosTable {
  chosen_at: Generated<Date>;
  engaged: number;
  ids: string[];
  reasons: Generated<string[]>;
  spare_ids: string[];
  video_id: string;
  watched_ids: Generated<string[]>;
  watched_weights: Generated<number[]>;
}

export interface RemovedVideosTable {
  /** Whether its clips are kept or removed once it is deleted for good. Null keeps them as drafts. */
  clips: "keep" | "remove" | null;
  id: string;
  kept_rows: unknown;
  media_token: string;
  removed_at: Generated<Date>;
  removed_by: string;
  size_bytes: number;
  source_key: string | null;
  title: string;
}

export interface ReportNotesTable {
  created_at: Generated<Date>;
  id: string;
  report_id: string;
  text: string;
  user_email: string;
}

export interface ReportSendersTable {
  asked_at: Date;
  confirmed_at: Date | null;
  /** In lower case. A hash if the mail to the address failed. */
  email: string;
  /** Mailbox of the address, without a part after a plus sign. Null in rows of older versions. */
  mailbox: string | null;
  /** Keyed hash of the network that filed the report. Cleared after an hour. */
  requester: string | null;
  token_hash: Buffer;
}

export interface ReportsTable {
  /** See `Visitors.addressKey`. Cleared after a day. */
  address_key: string | null;
  assigned_to: string | null;
  comment_id: string | null;
  created_at: Generated<Date>;
  email: string | null;
  id: string;
  kind: ReportKind;
  /** Language of the page with the report form; null for the site's language. */
  language: Language | null;
  notice: ColumnType<Notice | null, string | null, never> | null;
  outcome: ReportOutcome | null;
  reason: string;
  resolved_at: Date | null;
  state: Generated<ReportState>;
  text: string;
  /** The video may no longer exist. Its title and slug stay. */
  video_id: string;
  video_slug: string;
  video_title: string;
}

export interface RetiredFilesTable {
  goes_at: Date;
  key: string;
}

export interface SearchStaleTable {
  video_id: string;
}

export interface SearchWordsTable {
  word: string;
}

export interface SecretsTable {
  created_at: Generated<Date>;
  name: string;
  value: Buffer;
}

export interface SessionsTable {
  confirmed_at: Generated<Date>;
  created_at: Generated<Date>;
  expires_at: Date;
  id: Generated<string>;
  last_seen_at: Generated<Date>;
  token_hash: Buffer;
  user_agent: Generated<string>;
  user_id: string;
}

export interface SettingsTable {
  accent_color: string | null;
  ad_origins: Generated<string[]>;
  ads_in_embeds: Generated<boolean>;
  ads_txt: string | null;
  age_gate: Generated<boolean>;
  app_ads_txt: string | null;
  /** ISO 3166-1 alpha-2. */
  blocked_countries: Generated<string[]>;
  break_gap_s: Generated<number>;
  browse_listings: Generated<boolean>;
  comment_links: Generated<number>;
  comment_words: Generated<string[]>;
  comments: Generated<CommentMode>;
  /** Origin under which the operator opened the set-up link, used in account mails. */
  confirmed_url: string | null;
  contact_markdown: string | null;
  corner_radius: Generated<CornerRadius>;
  crawl_ai: Generated<boolean>;
  crawl_others: Generated<boolean>;
  crawl_search: Generated<boolean>;
  efficient_renditions: Generated<EfficientMode>;
  embed_origins: Generated<string[]>;
  embedding: Generated<SiteEmbedding>;
  even_loudness: Generated<boolean>;
  favicon_url: string | null;
  filter_categories: Generated<string[]>;
  font: Generated<SiteFont>;
  ground_color: string | null;
  id: Generated<number>;
  keep_originals: Generated<boolean>;
  language: Generated<Language>;
  logo_url: string | null;
  media_bytes_per_hour: number | null;
  media_on_other_sites: Generated<boolean>;
  media_without_origin: Generated<boolean>;
  members_in_feed: Generated<boolean>;
  members_text: string | null;
  members_url: string | null;
  midroll_every_min: Generated<number>;
  midroll_times: number[] | null;
  pinned_labels: ColumnType<PinnedLabel[], string | undefined, string | undefined>;
  pod_max_s: Generated<number>;
  podcast: Generated<boolean>;
  podcast_category: Generated<PodcastCategory>;
  podcast_email: string | null;
  /** First address of the podcast, from which its `podcast:guid` is made. Null until its feed is read. */
  podcast_guid_base: string | null;
  premium_access: Generated<PremiumAccess>;
  preroll_min_video_s: Generated<number>;
  privacy_markdown: string | null;
  replay_peak: Generated<boolean>;
  require_second_factor: Generated<boolean>;
  security_contact: string | null;
  sellers_json: string | null;
  site_description: string | null;
  site_name: string | null;
  site_url: string | null;
  source_url: string | null;
  takedown_log: Generated<boolean>;
  terms_markdown: string | null;
  time_zone: Generated<string>;
  trash_days: Generated<number>;
  updated_at: Generated<Date>;
  version: Generated<number>;
  watch_folder: Generated<boolean>;
  watch_publishes: Generated<boolean>;
  watch_rest_s: Generated<number>;
}

export interface SetupTokenTable {
  expires_at: Date;
  id: Generated<number>;
  token_hash: Buffer;
}

export interface SignInFailuresTable {
  account_key: Buffer | null;
  blocked_until: Date;
  failures: number;
  key: Buffer;
  updated_at: Generated<Date>;
}

export interface SiteBinsTable {
  day: string;
  plays: number;
  replayed: number[];
  watched: number[];
}

export interface SiteSourcesTable {
  day: string;
  kind: string;
  name: string;
  plays: number;
}

export interface SiteStatsHourlyTable {
  completed: Generated<number>;
  hour: Date;
  likes: Generated<number>;
  views: Generated<number>;
  watch_time_s: Generated<number>;
}

export interface SlugRedirectsTable {
  created_at: Generated<Date>;
  kind: "videos" | "categories" | "tags" | "actors" | "pages";
  slug: string;
  target_id: string;
}

export interface StagedUploadPartsTable {
  etag: string;
  number: number;
  size_bytes: number;
  upload_id: string;
}

export interface StagedUploadsTable {
  account: string | null;
  created_at: Generated<Date>;
  id: string;
  is_complete: Generated<boolean>;
  last_part: Generated<number>;
  metadata: Record<string, string | null>;
  /** Number of bytes in stored parts. */
  parts_bytes: Generated<number>;
  s3_upload_id: string;
  size_bytes: number;
  tail_bytes: Generated<number>;
  /** Object with the bytes after them, too few for a part. */
  tail_key: string | null;
  touched_at: Generated<Date>;
}

export interface TagsTable {
  created_at: Generated<Date>;
  description: string | null;
  /** Identity of the name (`foldName`). Not unique, because older versions compared slugs. Null in rows that a process of an older version adds during an upgrade. */
  folded_name: string | null;
  id: string;
  image_key: string | null;
  /** True if the label's feed is a podcast. */
  is_podcast: Generated<boolean>;
  is_series: Generated<boolean>;
  name: string;
  name_folded: ColumnType<string, never, never>;
  /** First address of the podcast, from which its `podcast:guid` is made. Null until its feed is read. */
  podcast_guid_base: string | null;
  slug: string;
  updated_at: Generated<Date>;
}

export interface TalliesTable {
  likes: Generated<number>;
  listed: Generated<number>;
  listed_likes: Generated<number>;
  listed_views: Generated<number>;
  scope: string;
  source_bytes: Generated<number>;
  stored_bytes: Generated<number>;
  videos: Generated<number>;
  views: Generated<number>;
}

export interface TallyChangesTable {
  likes: Generated<number>;
  listed: Generated<number>;
  listed_likes: Generated<number>;
  listed_views: Generated<number>;
  scope: string;
  source_bytes: Generated<number>;
  stored_bytes: Generated<number>;
  videos: Generated<number>;
  views: Generated<number>;
}

export interface UploadLocksTable {
  expires_at: Date;
  holder: string;
  is_wanted: Generated<boolean>;
  upload_id: string;
}

export interface UsedChallengesTable {
  expires_at: Date;
  hash: Buffer;
}

export interface UserTotpTable {
  is_active: Generated<boolean>;
  last_step: Generated<number>;
  sealed: Buffer | null;
  /** Column of an earlier version. */
  secret: Buffer | null;
  user_id: string;
}

export interface UsersTable {
  created_at: Generated<Date>;
  disabled_at: Date | null;
  email: string;
  id: string;
  is_owner: Generated<boolean>;
  last_seen_at: Date | null;
  name: Generated<string>;
  password_hash: string;
  reset_expires_at: Date | null;
  /** Time of the last mail with a reset link, and the link's expiry. */
  reset_sent_at: Date | null;
  role: Role;
  updated_at: Generated<Date>;
}

export interface VideoActorsTable {
  actor_id: string;
  listed_at: ColumnType<Date | null, never, never>;
  position: Generated<number>;
  series_key: number | null;
  video_id: string;
}

export interface VideoBinsTable {
  day: string;
  plays: number;
  replayed: number[];
  video_id: string;
  watched: number[];
}

export interface VideoCategoriesTable {
  category_id: string;
  listed_at: ColumnType<Date | null, never, never>;
  position: Generated<number>;
  series_key: number | null;
  video_id: string;
}

export interface VideoOriginsTable {
  created_at: Generated<Date>;
  /** False until the captions and addresses of the video are stored, too. */
  is_complete: Generated<boolean>;
  /** False until the video is in the series of its playlists. */
  is_placed: Generated<boolean>;
  source: string;
  source_id: string;
  video_id: string;
}

export interface VideoRangeScoresTable {
  engagement_month: Generated<number>;
  engagement_today: Generated<number>;
  engagement_week: Generated<number>;
  is_listed: boolean;
  video_id: string;
  views_month: Generated<number>;
  views_today: Generated<number>;
  views_week: Generated<number>;
}

export interface VideoReplacementsTable {
  audio_key: string | null;
  /** True if `kept_parts` differ from those of the video, which follows at the switch. */
  changes_cut: Generated<boolean>;
  chapters: ColumnType<{ startS: number; title: string }[], string | undefined, string>;
  created_at: Generated<Date>;
  dropped_bytes: number | null;
  duration_s: Generated<number>;
  failure_reason: string | null;
  failures: Generated<number>;
  file_gain_db: Generated<number>;
  fingerprint: Buffer | null;
  height: number | null;
  hls_key: string | null;
  id: string;
  /** True if only the renditions are made again: the source is the video's, and `source_key` is null. */
  is_renewal: Generated<boolean>;
  kept_parts: ColumnType<KeptPart[] | null, string | null | undefined, string | null> | null;
  ladder_crf: number | null;
  ladder_gain_db: Generated<number>;
  loudness: ColumnType<Loudness | null, string | null | undefined, string | null> | null;
  media_notices: Generated<string[]>;
  needs_review: Generated<boolean>;
  poster_key: string | null;
  preview_key: string | null;
  progress: number | null;
  progressive_key: string | null;
  progressive_small_key: string | null;
  skipped_files: Generated<string[]>;
  sounds: ColumnType<VideoSound[], string | undefined, string>;
  source_bytes: number | null;
  source_key: string | null;
  source_sha256: Buffer | null;
  status: Generated<VideoStatus>;
  stored_bytes: Generated<number>;
  storyboard_key: string | null;
  switched_at: Date | null;
  thumbnail_key: string | null;
  uploaded_by: string | null;
  uploaded_by_email: string;
  video_id: string;
  width: number | null;
}

export interface VideoSearchTable {
  is_listed: boolean;
  lacks_positions: Generated<boolean>;
  tier: number;
  title: string;
  title_words: string;
  video_id: string;
  words: string;
}

export interface VideoSourcesTable {
  day: string;
  kind: string;
  name: string;
  plays: number;
  video_id: string;
}

export interface VideoStatsDailyTable {
  /** Like `likes`, only those that count in Trending. */
  completed: Generated<number>;
  day: Date;
  engaged: Generated<number>;
  likes: Generated<number>;
  /** Views that don't count in Trending. */
  unranked_views: Generated<number>;
  video_id: string;
  views: Generated<number>;
  watch_time_s: Generated<number>;
}

export interface VideoStatsHourlyTable {
  /** Like `likes`, only those that count in Trending. */
  completed: Generated<number>;
  engaged: Generated<number>;
  hour: Date;
  impressions: Generated<number>;
  likes: Generated<number>;
  /** Views that don't count in Trending. */
  unranked_views: Generated<number>;
  video_id: string;
  views: Generated<number>;
  watch_time_s: Generated<number>;
}

export interface VideoTagsTable {
  listed_at: ColumnType<Date | null, never, never>;
  position: Generated<number>;
  series_key: number | null;
  tag_id: string;
  video_id: string;
}

export interface VideosTable {
  /** Sound of `progressive_key` for podcast apps; null unless a podcast needs it. */
  audio_key: string | null;
  /** What undoing the cut restores. */
  before_cut: ColumnType<BeforeCut | null, string | null | undefined, string | null> | null;
  blocked_countries: Generated<string[]>;
  captions: ColumnType<StoredCaption[], string | undefined, string>;
  /** Chapters from the video's file. Those in the description take precedence. */
  chapters: ColumnType<{ startS: number; title: string }[], string | undefined, string>;
  clip_end_s: number | null;
  /** Video that this one is a clip of. It may be in the trash. */
  clip_of: string | null;
  /** How to make the clip's source; null once it is stored. */
  clip_plan: ColumnType<ClipPlan | null, string | null | undefined, string | null> | null;
  /** Start of the passage in that video. */
  clip_start_s: number | null;
  /** `blocked_countries` and `held_countries`. */
  closed_countries: ColumnType<string[], never, never>;
  completed: Generated<number>;
  created_at: Generated<Date>;
  /** Time of the first cut. */
  cut_at: Date | null;
  description: string | null;
  /** Size of an original deleted after its renditions were made. */
  dropped_bytes: number | null;
  /** True if the original is deleted once nothing needs it. */
  drops_original: Generated<boolean>;
  duration_s: Generated<number>;
  embedding: Generated<VideoEmbedding>;
  engaged: Generated<number>;
  failure_reason: string | null;
  /** Number of failures so far, except crashes of the worker. */
  failures: Generated<number>;
  file_format: Generated<string>;
  /** Gain applied to the audio of `progressive_key`. */
  file_gain_db: Generated<number>;
  /** Hashes of ten frames. Null until the video's pictures are made, and for videos older than this column. */
  fingerprint: Buffer | null;
  height: number | null;
  held_countries: ColumnType<string[], never, never>;
  held_sensitive: ColumnType<boolean, never, never>;
  /** Triggers copy this and the other `held` columns from the long video. They restrict the clip in addition to its own. */
  held_visibility: ColumnType<Visibility | "hidden", never, never>;
  hls_key: string | null;
  hour_weight: Generated<number>;
  id: string;
  /** Number of `views` that came from another site. They are shown but don't count in rankings. */
  imported_views: Generated<number>;
  /** `is_sensitive` or `held_sensitive`. */
  is_age_limited: ColumnType<boolean, never, never>;
  /** Published, ready and private. Such videos are visible by a private link. */
  is_linkable: ColumnType<boolean, never, never>;
  /** Published, ready and public. Such videos are in lists. */
  is_listed: ColumnType<boolean, never, never>;
  is_premium: Generated<boolean>;
  is_published: Generated<boolean>;
  /** Published, ready and not private. Such videos are visible at their address. */
  is_reachable: ColumnType<boolean, never, never>;
  is_sensitive: Generated<boolean>;
  /** Parts of the source that the files contain; null for all of it. */
  kept_parts: ColumnType<KeptPart[] | null, string | null | undefined, string | null> | null;
  /** Encoder CRF that suits the picture; null until the ladder is started. */
  ladder_crf: number | null;
  /** Gain of the ladder, and of `progressive_small_key`, which is made from it. */
  ladder_gain_db: Generated<number>;
  likes: Generated<number>;
  /** If null, the link never expires. */
  link_expires_at: Date | null;
  /** Secret address of a private video; null if there is none. */
  link_secret: string | null;
  /** Null before the measurement, and for videos without audio. */
  loudness: ColumnType<Loudness | null, string | null | undefined, string | null> | null;
  /** Notices for admins about differences between the source and the playable files. */
  media_notices: Generated<string[]>;
  media_token: string;
  midroll_times: number[] | null;
  /** True if older rules may have made the files; see `file-review.jobs.ts`. */
  needs_review: Generated<boolean>;
  poster_key: string | null;
  preview_key: string | null;
  progress: number | null;
  progressive_key: string | null;
  progressive_small_key: string | null;
  publish_at: Date | null;
  /** User who set `publish_at`. */
  publish_planned_by: string | null;
  published_at: Date | null;
  rating: ColumnType<number, never, never>;
  reward_count: Generated<number>;
  /** Rewards of the For You feed, in forward decay. */
  reward_sum: Generated<number>;
  /** What visitors are told of `visibility` and `held_visibility`. */
  shown_visibility: ColumnType<Visibility, never, never>;
  /** Kinds of files that couldn't be made, and that the video lives without. */
  skipped_files: Generated<string[]>;
  slug: string;
  /** Audio tracks of the ladder, default first. */
  sounds: ColumnType<VideoSound[], string | undefined, string>;
  /** Null if unknown, or if the original was deleted. */
  source_bytes: number | null;
  source_key: string | null;
  /** Null until needed, if the file is older than this column. */
  source_sha256: Buffer | null;
  status: Generated<VideoStatus>;
  stored_bytes: Generated<number>;
  storyboard_key: string | null;
  thumbnail_key: string | null;
  /** Time of the last cut, or of its undo. Statistics of earlier plays don't fit the video. */
  timing_since: Date | null;
  title: string;
  translations: ColumnType<Translations, string | undefined, string>;
  trend: Generated<number>;
  /** Number of `likes` that are shown but don't count in rankings. */
  unranked_likes: Generated<number>;
  updated_at: Generated<Date>;
  uploaded_by: string | null;
  version: Generated<number>;
  views: Generated<number>;
  visibility: Generated<Visibility>;
  was_listed: Generated<boolean>;
  watch_time_s: Generated<number>;
  /** Hour of the last weighted play, and the sum of address weights in that hour. */
  weighed_hour: Date | null;
  width: number | null;
}

export interface WatchedFilesTable {
  attempts: Generated<number>;
  /** Differs each time the same file is put into the folder. */
  id: string;
  /** False if the file is still where it was found. */
  is_moved: Generated<boolean>;
  /** Hash of path, size and time. */
  key: Buffer;
  note: string | null;
  path: string;
  resting_since: Date;
  retry_at: Date | null;
  /** Hash of the sizes and times of the file and those beside it. */
  signature: Buffer;
  state: Generated<"waiting" | "done" | "failed">;
  updated_at: Generated<Date>;
  video_id: string | null;
}

export interface WatchedFolderTable {
  id: Generated<number>;
  looked_at: Date | null;
  /** Device and number of the folder when something was in it. */
  place: string | null;
  problem: string | null;
}

export interface WatchesTable {
  /** Played parts of the video, see `PlayBins`; null if the play doesn't count in curves. */
  bins: Buffer | null;
  bins_since: Date | null;
  completed: Generated<boolean>;
  counted_at: Date;
  engaged: Generated<boolean>;
  /** Origin of the counted view; null if the client didn't send it. */
  origin: PlayOrigin | null;
  /** Weight of the play in rankings: 0 if implausible. */
  reward_weight: Generated<number>;
  updated_at: Generated<Date>;
  video_id: string;
  visitor_id: string;
  /** Visitor's factor of `reward_weight`. The other factor is the address's. */
  visitor_weight: Generated<number>;
  watch_time_s: Generated<number>;
}

export interface WebhookDeliveriesTable {
  attempts: Generated<number>;
  created_at: Generated<Date>;
  data: Record<string, unknown>;
  delivered_at: Date | null;
  event: string;
  id: Generated<string>;
  next_at: Generated<Date>;
  problem: string | null;
  state: Generated<DeliveryState>;
  status: number | null;
  webhook_id: string;
}

export interface WebhooksTable {
  created_at: Generated<Date>;
  events: string[];
  id: string;
  is_enabled: Generated<boolean>;
  secret: string;
  url: string;
}

export interface WriteCountsTable {
  key: string;
  /** Minutes since 1970. */
  minute: number;
  writes: number;
}

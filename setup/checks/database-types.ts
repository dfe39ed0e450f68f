import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql, type RawBuilder } from "kysely";
import { generate, PostgresDialect, RawExpressionNode, type TableMetadata } from "kysely-codegen";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { readProcessArguments } from "#server/lib/command-line.mjs";
import { createLogger } from "#server/lib/logger.ts";

const { flags } = readProcessArguments({
  name: "npm run database-types",
  summary: "Writes the types of the database in src/server/db/schema.ts.",
  options: { check: { help: "only compare" } },
  examples: ["npm run database-types"],
});

/** Facts about a column that PostgreSQL doesn't store: a narrower type and a note. */
interface ColumnFacts {
  /** Type of the column if it is narrower than that of the database, without null and defaults. */
  type?: string;
  note?: string;
}

/** Modules of the types below. Paths are relative to the written file. */
const modules: Record<string, readonly string[]> = {
  "#ads/contract/ads.ts": ["AdDevice", "AdPlacement", "AdTrust", "AdType"],
  "#ads/contract/campaigns.ts": ["AdRotation", "CampaignGoal", "CampaignPriority", "PriceModel"],
  "#contract/accounts/auth.ts": ["Role"],
  "#contract/site/embedding.ts": ["SiteEmbedding", "VideoEmbedding"],
  "#contract/site/languages.ts": ["Language"],
  "#contract/site/podcast-categories.ts": ["PodcastCategory"],
  "#contract/site/theme.ts": ["CornerRadius", "SiteFont"],
  "#contract/site/webhooks.ts": ["DeliveryState"],
  "#contract/videos/clips.ts": ["ClipPlan"],
  "#contract/videos/admin-videos.ts": ["BulkAction", "BulkJob", "BulkRequest"],
  "#contract/videos/imports.ts": ["ImportJob"],
  "#contract/videos/kept-parts.ts": ["KeptPart"],
  "#contract/videos/ladders.ts": ["EfficientMode"],
  "#contract/videos/play-origins.ts": ["PlayOrigin"],
  "#contract/videos/translations.ts": ["Translations"],
  "#contract/videos/videos.ts": ["Loudness", "VideoSound", "VideoStatus", "Visibility"],
  "#contract/visitors/comments.ts": ["CommentMode"],
  "#contract/visitors/passes.ts": ["PremiumAccess"],
  "#contract/visitors/reports.ts": ["Notice", "ReportKind", "ReportOutcome", "ReportState"],
  "./before-cut.ts": ["BeforeCut"],
  "./column-types.ts": ["PinnedLabel"],
  "./stored-caption.ts": ["StoredCaption"],
};

const guidBase: ColumnFacts = {
  note: "First address of the podcast, from which its `podcast:guid` is made. Null until its feed is read.",
};

const labelNotes: Record<string, ColumnFacts> = {
  folded_name: {
    note: "Identity of the name (`foldName`). Not unique, because older versions compared slugs. Null in rows that a process of an older version adds during an upgrade.",
  },
  is_podcast: { note: "True if the label's feed is a podcast." },
  podcast_guid_base: guidBase,
};

const hourlyNotes: Record<string, ColumnFacts> = {
  unranked_views: { note: "Views that don't count in Trending." },
  completed: { note: "Like `likes`, only those that count in Trending." },
};

const facts: Record<string, Record<string, ColumnFacts>> = {
  watched_files: {
    key: { note: "Hash of path, size and time." },
    id: { note: "Differs each time the same file is put into the folder." },
    signature: { note: "Hash of the sizes and times of the file and those beside it." },
    state: { type: '"waiting" | "done" | "failed"' },
    is_moved: { note: "False if the file is still where it was found." },
  },
  watched_folder: {
    place: { note: "Device and number of the folder when something was in it." },
  },
  users: {
    role: { type: "Role" },
    reset_sent_at: { note: "Time of the last mail with a reset link, and the link's expiry." },
  },
  invitations: {
    role: { type: "Role" },
  },
  staged_uploads: {
    metadata: { type: "Record<string, string | null>" },
    parts_bytes: { note: "Number of bytes in stored parts." },
    tail_key: { note: "Object with the bytes after them, too few for a part." },
  },
  settings: {
    corner_radius: { type: "CornerRadius" },
    font: { type: "SiteFont" },
    language: { type: "Language" },
    comments: { type: "CommentMode" },
    efficient_renditions: { type: "EfficientMode" },
    podcast_category: { type: "PodcastCategory" },
    podcast_guid_base: guidBase,
    embedding: { type: "SiteEmbedding" },
    pinned_labels: { type: "ColumnType<PinnedLabel[], string | undefined, string | undefined>" },
    premium_access: { type: "PremiumAccess" },
    confirmed_url: {
      note: "Origin under which the operator opened the set-up link, used in account mails.",
    },
    blocked_countries: { note: "ISO 3166-1 alpha-2." },
  },
  own_pages: {
    texts: { type: "ColumnType<unknown, string, string>" },
  },
  own_texts: {
    language: { type: "Language" },
    id: { note: "Id as in `standardTexts`." },
  },
  passes: {
    terms: {
      type: "unknown",
      note: "Terms as first requested, which later requests with the same reference must repeat.",
    },
    code_hash: { note: "SHA-256 of the code." },
    sealed_code: { note: "Code, encrypted so that its owner can show it again." },
    reference: { note: "Shop's own name for the pass." },
    ended_at: { note: "Time at which webhooks learned that the pass has ended." },
  },
  media_storage: {
    kind: { type: '"disk" | "s3"' },
    other_kind: { type: '"disk" | "s3"' },
  },
  videos: {
    shown_visibility: {
      type: "Visibility",
      note: "What visitors are told of `visibility` and `held_visibility`.",
    },
    is_age_limited: { note: "`is_sensitive` or `held_sensitive`." },
    closed_countries: { note: "`blocked_countries` and `held_countries`." },
    clip_of: { note: "Video that this one is a clip of. It may be in the trash." },
    clip_start_s: { note: "Start of the passage in that video." },
    clip_plan: {
      type: "ColumnType<ClipPlan | null, string | null | undefined, string | null>",
      note: "How to make the clip's source; null once it is stored.",
    },
    held_visibility: {
      type: 'Visibility | "hidden"',
      note: "Triggers copy this and the other `held` columns from the long video. They restrict the clip in addition to its own.",
    },
    status: { type: "VideoStatus" },
    visibility: { type: "Visibility" },
    embedding: { type: "VideoEmbedding" },
    kept_parts: {
      type: "ColumnType<KeptPart[] | null, string | null | undefined, string | null>",
      note: "Parts of the source that the files contain; null for all of it.",
    },
    cut_at: { note: "Time of the first cut." },
    before_cut: {
      type: "ColumnType<BeforeCut | null, string | null | undefined, string | null>",
      note: "What undoing the cut restores.",
    },
    captions: { type: "ColumnType<StoredCaption[], string | undefined, string>" },
    translations: { type: "ColumnType<Translations, string | undefined, string>" },
    chapters: {
      type: "ColumnType<{ startS: number; title: string }[], string | undefined, string>",
      note: "Chapters from the video's file. Those in the description take precedence.",
    },
    loudness: {
      type: "ColumnType<Loudness | null, string | null | undefined, string | null>",
      note: "Null before the measurement, and for videos without audio.",
    },
    sounds: {
      type: "ColumnType<VideoSound[], string | undefined, string>",
      note: "Audio tracks of the ladder, default first.",
    },
    failures: { note: "Number of failures so far, except crashes of the worker." },
    is_listed: { note: "Published, ready and public. Such videos are in lists." },
    is_reachable: {
      note: "Published, ready and not private. Such videos are visible at their address.",
    },
    is_linkable: {
      note: "Published, ready and private. Such videos are visible by a private link.",
    },
    link_secret: { note: "Secret address of a private video; null if there is none." },
    link_expires_at: { note: "If null, the link never expires." },
    publish_planned_by: { note: "User who set `publish_at`." },
    media_notices: {
      note: "Notices for admins about differences between the source and the playable files.",
    },
    skipped_files: {
      note: "Kinds of files that couldn't be made, and that the video lives without.",
    },
    needs_review: {
      note: "True if older rules may have made the files; see `file-review.jobs.ts`.",
    },
    file_gain_db: { note: "Gain applied to the audio of `progressive_key`." },
    ladder_gain_db: {
      note: "Gain of the ladder, and of `progressive_small_key`, which is made from it.",
    },
    ladder_crf: { note: "Encoder CRF that suits the picture; null until the ladder is started." },
    source_bytes: { note: "Null if unknown, or if the original was deleted." },
    dropped_bytes: { note: "Size of an original deleted after its renditions were made." },
    timing_since: {
      note: "Time of the last cut, or of its undo. Statistics of earlier plays don't fit the video.",
    },
    drops_original: { note: "True if the original is deleted once nothing needs it." },
    source_sha256: { note: "Null until needed, if the file is older than this column." },
    fingerprint: {
      note: "Hashes of ten frames. Null until the video's pictures are made, and for videos older than this column.",
    },
    audio_key: {
      note: "Sound of `progressive_key` for podcast apps; null unless a podcast needs it.",
    },
    imported_views: {
      note: "Number of `views` that came from another site. They are shown but don't count in rankings.",
    },
    reward_sum: { note: "Rewards of the For You feed, in forward decay." },
    weighed_hour: {
      note: "Hour of the last weighted play, and the sum of address weights in that hour.",
    },
    unranked_likes: { note: "Number of `likes` that are shown but don't count in rankings." },
  },
  removed_videos: {
    clips: {
      type: '"keep" | "remove"',
      note: "Whether its clips are kept or removed once it is deleted for good. Null keeps them as drafts.",
    },
    kept_rows: { type: "unknown" },
  },
  slug_redirects: {
    kind: { type: '"videos" | "categories" | "tags" | "actors" | "pages"' },
  },
  watches: {
    origin: {
      type: "PlayOrigin",
      note: "Origin of the counted view; null if the client didn't send it.",
    },
    reward_weight: { note: "Weight of the play in rankings: 0 if implausible." },
    visitor_weight: {
      note: "Visitor's factor of `reward_weight`. The other factor is the address's.",
    },
    bins: {
      note: "Played parts of the video, see `PlayBins`; null if the play doesn't count in curves.",
    },
  },
  ads: {
    type: { type: "AdType" },
    placement: { type: "AdPlacement" },
    trust: { type: "AdTrust" },
    target_devices: { type: "AdDevice[]" },
  },
  ad_stats_daily: {
    embed_impressions: {
      note: "Like the other columns with `embed`, the part of a count that comes from embeds.",
    },
    placement: { type: "AdPlacement" },
  },
  bulk_jobs: {
    action: { type: "ColumnType<BulkAction, string, never>" },
    target: { type: 'ColumnType<BulkRequest["target"], string, never>' },
    state: { type: 'BulkJob["state"]' },
  },
  imports: {
    kind: { type: 'ImportJob["kind"]' },
    state: { type: 'ImportJob["state"]' },
    options: {
      type: "ColumnType<unknown, string | undefined, string>",
      note: "Choices of an import from another site; null for CSV.",
    },
    mapping: { type: "ColumnType<(string | null)[], string, string>" },
    note: { note: "Sentences about the disk space and the time that the import needs." },
  },
  import_rows: {
    note: { note: "Repairs that the import made to this video, for its report." },
    outcome: { type: '"created" | "updated" | "unchanged" | "problem"' },
    target_id: { note: "Id of the entry created by the row." },
  },
  campaigns: {
    priority: { type: "CampaignPriority" },
    goal: { type: "CampaignGoal" },
    price_model: { type: "PriceModel" },
    rotation: { type: "AdRotation" },
    target_devices: { type: "AdDevice[]" },
  },
  audit_log: {
    before: { type: "unknown" },
    after: { type: "unknown" },
  },
  reports: {
    kind: { type: "ReportKind" },
    language: {
      type: "Language",
      note: "Language of the page with the report form; null for the site's language.",
    },
    notice: { type: "ColumnType<Notice | null, string | null, never>" },
    state: { type: "ReportState" },
    outcome: { type: "ReportOutcome" },
    video_id: { note: "The video may no longer exist. Its title and slug stay." },
    address_key: { note: "See `Visitors.addressKey`. Cleared after a day." },
  },
  comments: {
    state: { type: '"held" | "shown" | "removed"' },
    text: { note: "Plain text." },
    address_key: { note: "Like the column of reports." },
  },
  webhook_deliveries: {
    data: { type: "Record<string, unknown>" },
    state: { type: "DeliveryState" },
  },
  video_replacements: {
    status: { type: "VideoStatus" },
    chapters: {
      type: "ColumnType<{ startS: number; title: string }[], string | undefined, string>",
    },
    kept_parts: {
      type: "ColumnType<KeptPart[] | null, string | null | undefined, string | null>",
    },
    changes_cut: {
      note: "True if `kept_parts` differ from those of the video, which follows at the switch.",
    },
    loudness: { type: "ColumnType<Loudness | null, string | null | undefined, string | null>" },
    sounds: { type: "ColumnType<VideoSound[], string | undefined, string>" },
    is_renewal: {
      note: "True if only the renditions are made again: the source is the video's, and `source_key` is null.",
    },
  },
  user_totp: {
    secret: { note: "Column of an earlier version." },
  },
  write_counts: {
    minute: { note: "Minutes since 1970." },
  },
  pass_devices: {
    token_hash: { note: "SHA-256 of the device's cookie." },
  },
  likes: {
    is_ranked: { note: "True if it counts in rankings, not only in the number on screen." },
  },
  video_stats_hourly: hourlyNotes,
  video_stats_daily: hourlyNotes,
  video_origins: {
    is_complete: { note: "False until the captions and addresses of the video are stored, too." },
    is_placed: { note: "False until the video is in the series of its playlists." },
  },
  report_senders: {
    email: { note: "In lower case. A hash if the mail to the address failed." },
    mailbox: {
      note: "Mailbox of the address, without a part after a plus sign. Null in rows of older versions.",
    },
    requester: {
      note: "Keyed hash of the network that filed the report. Cleared after an hour.",
    },
  },
  idempotent_requests: {
    status: { note: "Null while the request runs." },
  },
  blocked_files: {
    fingerprint: { note: "Hashes of ten frames; null if the video had none." },
  },
  categories: labelNotes,
  tags: labelNotes,
  actors: labelNotes,
};

/** Columns that meet a condition on `information_schema.columns`, as `table.column`. */
async function listColumns(db: Db, condition: RawBuilder<unknown>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and ${condition}`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function writeTypes(db: Db): Promise<string> {
  // PostgreSQL and triggers write these columns. Statements never do.
  const computed = await listColumns(
    db,
    sql`(is_generated = 'ALWAYS' or column_name = 'listed_at' or column_name like 'held\\_%')`,
  );
  const withDefaults = await listColumns(db, sql`column_default is not null`);
  const columns: Record<string, RawExpressionNode> = {};
  for (const [table, known] of Object.entries(facts)) {
    for (const [column, { type }] of Object.entries(known)) {
      if (type === undefined) continue;
      const name = `${table}.${column}`;
      const isPlain = !withDefaults.has(name) || type.startsWith("ColumnType<");
      columns[name] = new RawExpressionNode(isPlain ? type : `Generated<${type}>`);
    }
  }
  const text = await generate({
    db,
    dialect: new PostgresDialect(),
    outFile: null,
    includePattern: "public.*",
    overrides: { columns },
    // Types that the driver's parsers return.
    typeMapping: { int8: "number", timestamptz: "Date", date: "string", jsonb: "unknown" },
    postprocess: ({ metadata }) =>
      Promise.resolve({ ...metadata, tables: metadata.tables.map((table) => describe(table)) }),
  });
  return finish(text, computed);
}

/** Adds the notes to a table. */
function describe(table: TableMetadata): TableMetadata {
  const columns = table.columns.map((column) => ({
    ...column,
    comment: facts[table.name]?.[column.name]?.note ?? null,
  }));
  return { ...table, columns };
}

/** Returns "AdStatsDailyTable" for "ad_stats_daily". */
const nameOf = (table: string): string =>
  `${table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`;

/** Names the tables as the program does, and protects the computed columns. */
function finish(text: string, computed: ReadonlySet<string>): string {
  const [, database = ""] = text.split("export interface DB ");
  const tables = [...database.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(
    ([, table = "", type = ""]) => {
      const [, body = ""] =
        new RegExp(`export interface ${type} \\{\n([^}]*(?:\\{[^}]*\\}[^}]*)*?)^\\}`, "m").exec(
          text,
        ) ?? [];
      const lines = body
        .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, "/** $1 */")
        .replaceAll("unknown | null", "unknown")
        .replaceAll(/^ {2}(\w+): (.*);$/gm, (line, column: string, type: string) =>
          computed.has(`${table}.${column}`)
            ? `  ${column}: ColumnType<${type.replace(/^Generated<(.*)>$/, "$1")}, never, never>;`
            : line,
        );
      return { table, text: `export interface ${nameOf(table)} {\n${lines}}\n` };
    },
  );
  const imports = Object.entries(modules).map(
    ([module, names]) => `import type { ${names.join(", ")} } from "${module}";\n`,
  );
  return [
    "// Generated from the migrations by `npm run database-types`.\n",
    'import type { ColumnType, Generated } from "kysely";\n',
    ...imports,
    `\nexport interface Database {\n${tables.map(({ table }) => `  ${table}: ${nameOf(table)};\n`).join("")}}\n`,
    ...tables.map((table) => `\n${table.text}`),
  ].join("");
}

/** Starts a database with all migrations, and returns its types. */
async function readTypes(): Promise<string> {
  const logger = createLogger("error");
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-types-"));
  try {
    const engine = await startEngine({ dataDir, logger, isDurable: false });
    try {
      const db = createDb(createPool(engine.target, 1, logger));
      try {
        await migrateToLatest(db);
        return await writeTypes(db);
      } finally {
        await db.destroy();
      }
    } finally {
      await engine.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const path = fileURLToPath(new URL("../../src/server/db/schema.ts", import.meta.url));
const text = await readTypes();
if (!flags.has("check")) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) {
  console.log("src/server/db/schema.ts differs from the migrations. Run npm run database-types.");
  process.exitCode = 1;
}

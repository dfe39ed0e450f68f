import { sql } from "kysely";
import type { VideoStatus } from "#contract/videos/videos.ts";
import { lowersLettersSql } from "#server/db/check-server.ts";
import type { Db } from "#server/db/connection.ts";
import { findLastBackup } from "#server/processes/last-backup.repository.ts";
import { reviewerName } from "#server/features/videos/reviews/file-reviews.service.ts";
import { slugify } from "#server/lib/names.ts";
import {
  findSchemaDifferences,
  listApplied,
  migrations as knownMigrations,
} from "#server/db/migrate.ts";

export interface ServerState {
  version: string;
  maxConnections: number;
  /** Seconds by which the server's clock is ahead of this machine's. */
  clockAheadS: number;
  migrations: string[];
  /** Versions of the collation with which texts were sorted, and with which they are sorted now. */
  collation: {
    database: string;
    stored: string | null;
    actual: string | null;
    /** False in locales such as C, which only changes ASCII letters, and in Turkish ones. */
    lowersLetters: boolean;
  };
  /** Differences from the schema that the migrations create; null if unknown. */
  schemaDifferences: string[] | null;
  /** Address in the settings, which takes precedence over SITE_URL. */
  siteUrl: string | null;
  /** Last success of `npm run admin -- backup`. */
  lastBackupAt: Date | null;
  /** Names that lost letters in their address in older versions, as "Часть 1" at `/tags/1`. */
  lossyLabels: string[];
  fileReview: FileReview;
}

/** Review of videos that older versions made (`file-review.jobs.ts`). */
interface FileReview {
  /** Number of videos that aren't reviewed yet. */
  due: number;
  /** Slugs of videos whose files were deleted and made again, by their state now. Latest first. */
  withdrawn: Record<VideoStatus, string[]>;
  /** Slugs of videos that play, but couldn't be made again. */
  unrenewed: string[];
}

const noReview: FileReview = {
  due: 0,
  withdrawn: { processing: [], ready: [], failed: [] },
  unrenewed: [],
};

async function readFileReview(db: Db): Promise<FileReview> {
  const { rows } = await sql<{ due: number; unrenewed: string[] }>`
    select (select count(*)::int from videos where needs_review and status = 'ready') as due,
      array(select v.slug from video_replacements r join videos v on v.id = r.video_id
        where r.is_renewal and r.status = 'failed' and r.uploaded_by_email = ${reviewerName}
        order by v.id) as unrenewed`.execute(db);
  const { rows: withdrawn } = await sql<{ slug: string; status: VideoStatus }>`
    select v.slug, v.status from videos v
    join (select entity_id, max(at) as at from audit_log
      where user_email = ${reviewerName} and action = 'video.withdrawn'
      group by 1) l on l.entity_id = v.id::text
    order by l.at desc`.execute(db);
  const slugsOf = (status: VideoStatus) =>
    withdrawn.filter((video) => video.status === status).map(({ slug }) => slug);
  return {
    due: rows[0]?.due ?? 0,
    withdrawn: {
      processing: slugsOf("processing"),
      ready: slugsOf("ready"),
      failed: slugsOf("failed"),
    },
    unrenewed: rows[0]?.unrenewed ?? [],
  };
}

/** Lists labels whose address lacks letters of the name: other names once became these labels. */
async function listLossyLabels(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select name, slug, folded_name from categories
      union all select name, slug, folded_name from tags
      union all select name, slug, folded_name from actors) labels
    where slug ~ '^[a-z0-9-]+$' and slug !~ '^n-' and folded_name ~ '[^\\x01-\\x7f]'
    order by name limit 1000`.execute(db);
  return rows.map(({ name }) => name).filter((name) => /[^a-z0-9-]/.test(slugify(name)));
}

/** Both versions are null for collations that never change, such as that of the embedded database. */
async function readCollation(db: Db): Promise<ServerState["collation"]> {
  const { rows } = await sql<ServerState["collation"]>`
    select datname::text as database, datcollversion as stored,
      pg_database_collation_actual_version(oid) as actual,
      ${sql.raw(lowersLettersSql)} as "lowersLetters"
    from pg_database where datname = current_database()`.execute(db);
  return rows[0] ?? { database: "", stored: null, actual: null, lowersLetters: true };
}

export async function readServerState(db: Db): Promise<ServerState> {
  const { rows } = await sql<{ version: string; max: number; now: number }>`
    select current_setting('server_version') as version,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      extract(epoch from clock_timestamp())::float8 as now`.execute(db);
  const nowS = Date.now() / 1000;
  const migrations = await listApplied(db);
  const isEmpty = migrations.length === 0;
  const settings = isEmpty
    ? undefined
    : await db.selectFrom("settings").select("site_url").executeTakeFirst();
  const hasAll = Object.keys(knownMigrations).every((name) => migrations.includes(name));
  return {
    schemaDifferences: hasAll ? await findSchemaDifferences(db) : null,
    version: rows[0]?.version ?? "unknown",
    maxConnections: rows[0]?.max ?? 0,
    clockAheadS: (rows[0]?.now ?? nowS) - nowS,
    migrations,
    collation: await readCollation(db),
    siteUrl: settings?.site_url ?? null,
    lastBackupAt: isEmpty ? null : await findLastBackup(db),
    lossyLabels: hasAll ? await listLossyLabels(db) : [],
    fileReview: hasAll ? await readFileReview(db) : noReview,
  };
}

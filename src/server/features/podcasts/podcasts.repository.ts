import { sql } from "kysely";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { Db } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";
import { isMembersOnly } from "#server/features/videos/members-only.sql.ts";

/** Kind of file that a video without sound lives without; see `videos.skipped_files`. */
export const audioRole = "audio";

export interface EpisodeRow {
  id: string;
  mediaToken: string;
  description: string | null;
  durationS: number;
  audioKey: string | null;
  progressiveKey: string | null;
  captions: StoredCaption[];
  chapters: { startS: number; title: string }[];
  isSensitive: boolean;
  /** True if its sound can't be cut, usually because there is none. */
  hasNoSound: boolean;
}

export async function listEpisodeRows(db: Db, ids: readonly string[]): Promise<EpisodeRow[]> {
  const { rows } = await sql<EpisodeRow>`
    select id, media_token as "mediaToken", description, duration_s as "durationS",
      audio_key as "audioKey", progressive_key as "progressiveKey", captions, chapters,
      is_age_limited as "isSensitive", skipped_files @> array[${audioRole}::text] as "hasNoSound"
    from videos where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Returns whether the site's feed or that of a label is a podcast. */
export async function hasPodcasts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select (exists (select from settings where podcast)
      or ${sql.join(
        labelKinds.map((kind) => sql`exists (select from ${sql.table(kind)} where is_podcast)`),
        sql` or `,
      )}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

export async function listPodcastLabels(db: Db): Promise<{ kind: LabelKind; id: string }[]> {
  const { rows } = await sql<{ kind: LabelKind; id: string }>`
    ${sql.join(
      labelKinds.map(
        (kind) => sql`select ${kind}::text as kind, id from ${sql.table(kind)} where is_podcast`,
      ),
      sql` union all `,
    )}`.execute(db);
  return rows;
}

/** True for the address of a site that doesn't know its public one yet. */
const isPlaceholder = (address: string) => new URL(address).hostname === "localhost";

/**
 * Returns the first public address of a podcast, from which its identifier is made. Stores the given
 * one if there is none, or its variant with the id if it was the first address of another podcast.
 */
export async function keepGuidBase(
  db: Db,
  { table, id, address }: { table: LabelKind | "settings"; id: string | number; address: string },
): Promise<string> {
  const read = await sql<{ base: string | null }>`
    select podcast_guid_base as base from ${sql.table(table)} where id = ${id}`.execute(db);
  const known = read.rows[0]?.base;
  if (known != null && !isPlaceholder(known)) return known;
  if (isPlaceholder(address)) return address;
  const { rows } = await sql<{ base: string }>`
    update ${sql.table(table)} set podcast_guid_base = coalesce(
      case when podcast_guid_base is distinct from ${known ?? null} then podcast_guid_base end,
      case when exists (select from ${sql.table(table)} where podcast_guid_base = ${address})
        then ${`${address}/${id}`} else ${address} end)
    where id = ${id} returning podcast_guid_base as base`.execute(db);
  return rows[0]?.base ?? address;
}

/** True for a video `v` that no feed lists as an episode, because not everyone may play it. */
const isLimited = sql<boolean>`(${isMembersOnly} or v.closed_countries <> '{}')`;

/**
 * Returns the newest complete videos of podcasts without a file of their sound.
 * @param except videos whose file couldn't be made just now.
 */
export async function listWithoutAudio(
  db: Db,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<string[]> {
  const ofLabels = labelKinds.map((kind) => {
    const { join, column } = labelTables[kind];
    return sql`v.id in (select j.video_id from ${sql.table(join)} j
      join ${sql.table(kind)} t on t.id = j.${sql.ref(column)} where t.is_podcast)`;
  });
  const { rows } = await sql<{ id: string }>`
    select v.id from videos v
    where v.is_listed and not ${isLimited} and v.audio_key is null and v.progressive_key is not null
      and coalesce(v.progress, 1) = 1 and not v.skipped_files @> array[${audioRole}::text]
      and (exists (select from settings where podcast) or ${sql.join(ofLabels, sql` or `)})
      and v.id <> all(${except}::uuid[])
    order by v.published_at desc nulls last, v.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns videos with a file of their sound that no feed lists as episodes anymore. */
export async function listNeedlessAudio(
  db: Db,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const { rows } = await sql<{ id: string; key: string }>`
    select v.id, v.audio_key as key from videos v
    where v.audio_key is not null and ${isLimited} limit ${limit}`.execute(db);
  return rows;
}

/** Drops the file of a video's sound. It is deleted once open players need it no longer. */
export async function dropAudio(db: Db, { id, key }: { id: string; key: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("videos")
      .set({ audio_key: null })
      .where("id", "=", id)
      .where("audio_key", "=", key)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await retireFiles(trx, [key]);
  });
}

/** Saves the file unless the video plays another one now. @returns whether it was saved. */
export async function saveAudio(
  db: Db,
  { id, progressiveKey, key }: { id: string; progressiveKey: string; key: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("videos")
    .set({ audio_key: key })
    .where("id", "=", id)
    .where("progressive_key", "=", progressiveKey)
    .where("audio_key", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

import { sql, type RawBuilder } from "kysely";
import { labelKinds } from "#contract/lists/labels.ts";
import { isUuid } from "#server/lib/ids.ts";
import type { DbOrTrx, Db } from "#server/db/connection.ts";
import { publicPrefix, publicVideoPrefix, sourcePrefix } from "#server/storage/media-keys.ts";
import type { VideoRow } from "../videos.repository.ts";

// References to stored files. The sweep deletes files that have none. Each check is one consistent
// statement, so it finds a video that is being restored from the trash in one of the two tables.

/**
 * Returns the keys of objects that aren't referenced, either directly or through another file in
 * their folder.
 */
export async function listUnreferenced(db: DbOrTrx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select stored.key from ${storedObjects(keys)}
    where not case
      when starts_with(stored.key, ${sourcePrefix}) then ${belongsToVideo}
        or exists (select from staged_uploads where id = stored.id)
      when starts_with(stored.key, ${publicVideoPrefix}) then
        ${isInVideo(sql`'"' || stored.path || '"'`, sql`'"' || stored.path || '/'`)}
        or exists (select from retired_files r
          where r.key = stored.path or starts_with(r.key, stored.path || '/'))
      when starts_with(stored.key, ${publicPrefix}) then ${isPublicPicture}
        or exists (select from retired_files r where r.key = stored.key)
      -- An object of an unknown kind may belong to another program.
      else true end`.execute(db);
  return rows.map(({ key }) => key);
}

/** Returns whether a video is neither in the catalogue nor in the trash. */
export async function isVideoGone(
  db: DbOrTrx,
  { videoId, mediaToken }: { videoId: string; mediaToken: string },
): Promise<boolean> {
  const { rows } = await sql<{ isGone: boolean }>`
    select not exists (select from videos where id = ${videoId}::uuid)
      and not exists (select from removed_videos where media_token = ${mediaToken}) as "isGone"
  `.execute(db);
  return rows[0]?.isGone ?? false;
}

/** Returns whether a row refers to this file of a video, or to another size of this picture. */
export async function isNamed(db: DbOrTrx, key: string): Promise<boolean> {
  const condition = key.startsWith(publicVideoPrefix)
    ? isInVideo(sql`'"' || stored.key || '"'`)
    : key.startsWith(publicPrefix)
      ? isPublicPicture
      : sql`true`;
  const { rows } = await sql<{ isNamed: boolean }>`
    select (${condition}) as "isNamed" from ${storedObjects([key])}`.execute(db);
  return rows[0]?.isNamed ?? true;
}

/**
 * Returns whether a source file belongs to a video or its new file. Videos in the trash count, too.
 */
export async function isVideoSource(db: DbOrTrx, key: string): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select (${belongsToVideo}) as "isUsed" from ${storedObjects([key])}`.execute(db);
  return rows[0]?.isUsed ?? true;
}

/**
 * Table `stored` of objects for the conditions below: the key, its second part as `owner`, its
 * first three parts as `path`, and the id of the video or label that the key contains, or null.
 */
function storedObjects(keys: readonly string[]): RawBuilder<unknown> {
  const objects = keys.map((key) => {
    const [root = "", owner = "", name = ""] = key.split("/");
    const id = key.startsWith(sourcePrefix) ? key.slice(sourcePrefix.length) : name.slice(0, 36);
    return { key, owner, path: `${root}/${owner}/${name}`, id: isUuid(id) ? id : null };
  });
  return sql`json_to_recordset(${JSON.stringify(objects)}::json)
    as stored (key text, owner text, path text, id uuid)`;
}

// A video whose file an older version of the program replaces has a size again.
const hasOriginal = sql`(dropped_bytes is null or source_bytes is not null)`;

// One `exists` per column, so that PostgreSQL can hash each table once for many keys.
const belongsToVideo = sql`(
  exists (select from videos where source_key = stored.key and ${hasOriginal})
  or exists (select from videos v where v.id = stored.id and source_key is null and ${hasOriginal})
  or exists (select from video_replacements where source_key = stored.key)
  or exists (select from removed_videos where source_key = stored.key)
  or exists (select from removed_videos r where r.id = stored.id and source_key is null))`;

/** @param texts texts in the form they have in a row converted to JSON. */
function isInVideo(...texts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  const names = (row: RawBuilder<unknown>) =>
    sql.join(
      texts.map((text) => sql`strpos(to_jsonb(${row})::text, ${text}) > 0`),
      sql` or `,
    );
  return sql`(
    exists (select from videos v where v.media_token = stored.owner and (${names(sql`v`)}))
    or exists (select from video_replacements r join videos v on v.id = r.video_id
      where v.media_token = stored.owner and (${names(sql`r`)}))
    or exists (select from removed_videos where media_token = stored.owner))`;
}

const isLabelPicture = labelKinds.map(
  (kind) => sql`when ${sql.lit(kind)} then stored.id is null or exists (
    select from ${sql.table(kind)} l
    where l.id = stored.id and starts_with(image_key, stored.path || '/'))`,
);

const isPublicPicture = sql`case stored.owner
  -- Podcast artwork is beside the logo from which it was made.
  when 'site' then exists (select from settings where
    '/media/' || regexp_replace(stored.key, '-podcast[.]jpg$', '') in (logo_url, favicon_url))
  when 'spots' then exists (select from ads
    where strpos(concat_ws(' ', image_url, content), '/media/' || stored.key) > 0)
  when 'pages' then exists (select from own_pages
    where strpos(texts::text, '/media/' || stored.key) > 0)
  ${sql.join(isLabelPicture, sql` `)}
  else true end`;

/** Returns the keys of retired files that cached pages no longer request. */
export async function listDueFiles(db: DbOrTrx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("retired_files")
    .select("key")
    .where("goes_at", "<=", sql<Date>`now()`)
    .orderBy("goes_at")
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

export async function forgetRetired(db: DbOrTrx, key: string): Promise<void> {
  await db.deleteFrom("retired_files").where("key", "=", key).execute();
}

/** Maximum number of candidates. Files of equal size are usually the same file. */
const maxFound = 20;

type SourceRow = Pick<VideoRow, "id" | "slug" | "title" | "source_key" | "source_sha256">;

/** Returns other videos whose source has the same size, oldest first. */
export async function listSameSized(
  db: Db,
  { id, ...row }: Pick<VideoRow, "id" | "source_bytes" | "dropped_bytes">,
): Promise<SourceRow[]> {
  const sizeBytes = row.source_bytes ?? row.dropped_bytes;
  if (sizeBytes === null) return [];
  return db
    .selectFrom("videos")
    .select(["id", "slug", "title", "source_key", "source_sha256"])
    .where(({ or, eb }) =>
      or([eb("source_bytes", "=", sizeBytes), eb("dropped_bytes", "=", sizeBytes)]),
    )
    .where("id", "<>", id)
    .orderBy("id")
    .limit(maxFound)
    .execute();
}

/** Saves the hash unless another file has replaced the source. */
export async function saveHash(
  db: Db,
  { id, source_key }: Pick<VideoRow, "id" | "source_key">,
  hash: Buffer,
): Promise<void> {
  await db
    .updateTable("videos")
    .set({ source_sha256: hash })
    .where("id", "=", id)
    .where("source_key", "is not distinct from", source_key)
    .execute();
}

/** Records whether a video's original is deleted once nothing needs it. */
export async function setDropsOriginal(db: Db, id: string, drops: boolean): Promise<void> {
  await sql`
    update videos set drops_original = ${drops} where id = ${id} and drops_original <> ${drops}`.execute(
    db,
  );
}

/** Returns the ids of videos whose original isn't needed any more, not even to undo a cut. */
export async function listDueDrops(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where drops_original and (cut_at is null or cut_at <=
      ${now}::timestamptz - (select trash_days from settings where id = 1) * interval '1 day')`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export interface StoredLadder {
  id: string;
  slug: string;
  masterKey: string;
}

/** Lists playable videos that have a ladder, newest first (by descending id). */
export async function listLadders(
  db: Db,
  { before, limit }: { before: string | null; limit: number },
): Promise<StoredLadder[]> {
  let query = db
    .selectFrom("videos")
    .select(["id", "slug", "hls_key"])
    .where("status", "=", "ready")
    .where("hls_key", "is not", null)
    .orderBy("id", "desc")
    .limit(limit);
  if (before !== null) query = query.where("id", "<", before);
  const rows = await query.execute();
  return rows.flatMap(({ id, slug, hls_key: masterKey }) =>
    masterKey === null ? [] : [{ id, slug, masterKey }],
  );
}

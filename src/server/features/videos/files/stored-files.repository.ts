import { sql, type RawBuilder } from "kysely";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import { isUuid } from "#server/lib/ids.ts";
import type { DbOrTrx, Db } from "#server/db/connection.ts";
import { publicPrefix, publicVideoPrefix, sourcePrefix } from "#server/storage/media-keys.ts";
import type { VideoRow } from "../videos.repository.ts";

// References to stored files. The sweep deletes files that have none. Each check is one consistent
// statement, so it finds a video that is being restored from the trash in one of the two tables.

/** Returns whether a row refers to a stored object or to something in its folder. */
export async function isReferenced(db: DbOrTrx, key: string): Promise<boolean> {
  const condition = referenceCondition(key);
  // An object of an unknown kind may belong to another program.
  if (condition === null) return true;
  const { rows } = await sql<{ isReferenced: boolean }>`
    select (${condition}) as "isReferenced"`.execute(db);
  return rows[0]?.isReferenced ?? true;
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
  const [, token = ""] = key.split("/");
  const condition = key.startsWith(publicVideoPrefix)
    ? isInVideo(token, [`"${key}"`])
    : key.startsWith(publicPrefix)
      ? isPublicPicture(key)
      : sql`true`;
  const { rows } = await sql<{ isNamed: boolean }>`
    select (${condition}) as "isNamed"`.execute(db);
  return rows[0]?.isNamed ?? true;
}

function referenceCondition(key: string): RawBuilder<unknown> | null {
  if (key.startsWith(sourcePrefix)) return isSource(key);
  if (key.startsWith(publicVideoPrefix)) {
    const [, token = "", entry = ""] = key.split("/");
    const path = `${publicVideoPrefix}${token}/${entry}`;
    return sql`${isInVideo(token, [`"${path}"`, `"${path}/`])}
      or exists (select from retired_files where key = ${path} or starts_with(key, ${`${path}/`}))`;
  }
  if (!key.startsWith(publicPrefix)) return null;
  return sql`${isPublicPicture(key)}
    or exists (select from retired_files where key = ${key})`;
}

/**
 * Returns whether a source file belongs to a video or its new file. Videos in the trash count, too.
 */
export async function isVideoSource(db: DbOrTrx, key: string): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select (${belongsToVideo(key)}) as "isUsed"`.execute(db);
  return rows[0]?.isUsed ?? true;
}

function isSource(key: string): RawBuilder<unknown> {
  return sql`${belongsToVideo(key)} or exists (select from staged_uploads where id = ${idIn(key)})`;
}

function idIn(key: string): RawBuilder<unknown> {
  const name = key.slice(sourcePrefix.length);
  return isUuid(name) ? sql`${name}::uuid` : sql`null::uuid`;
}

function belongsToVideo(key: string): RawBuilder<unknown> {
  const id = idIn(key);
  return sql`
    exists (select from videos where (source_key = ${key} or (source_key is null and id = ${id}))
      -- A video whose file an older version of the program replaces has a size again.
      and (dropped_bytes is null or source_bytes is not null))
    or exists (select from video_replacements where source_key = ${key})
    or exists (select from removed_videos
      where source_key = ${key} or (source_key is null and id = ${id}))`;
}

/** @param texts texts in the form they have in a row converted to JSON. */
function isInVideo(token: string, texts: readonly string[]): RawBuilder<unknown> {
  const names = (row: RawBuilder<unknown>) =>
    sql.join(
      texts.map((text) => sql`strpos(to_jsonb(${row})::text, ${text}) > 0`),
      sql` or `,
    );
  return sql`
    exists (select from videos v where v.media_token = ${token} and (${names(sql`v`)}))
    or exists (select from video_replacements r join videos v on v.id = r.video_id
      where v.media_token = ${token} and (${names(sql`r`)}))
    or exists (select from removed_videos where media_token = ${token})`;
}

const isLabelKind = (kind: string): kind is LabelKind => labelKinds.some((each) => each === kind);

function isPublicPicture(key: string): RawBuilder<unknown> {
  const [, kind = "", name = ""] = key.split("/");
  if (kind === "site") {
    // Podcast artwork is beside the logo from which it was made.
    const picture = key.replace(/-podcast\.jpg$/, "");
    return sql`exists (select from settings
      where ${`/media/${picture}`} in (logo_url, favicon_url))`;
  }
  if (kind === "spots") {
    return sql`exists (select from ads
      where strpos(concat_ws(' ', image_url, content), ${`/media/${key}`}) > 0)`;
  }
  if (kind === "pages") {
    return sql`exists (select from own_pages where strpos(texts::text, ${`/media/${key}`}) > 0)`;
  }
  const id = name.slice(0, 36);
  if (!isLabelKind(kind) || !isUuid(id)) return sql`true`;
  return sql`exists (select from ${sql.table(kind)} where id = ${id}::uuid
    and starts_with(image_key, ${`${publicPrefix}${kind}/${name}/`}))`;
}

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

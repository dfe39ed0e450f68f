import { sql } from "kysely";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { deleteRedirects } from "#server/db/slug-redirects.ts";
import { newId } from "#server/lib/ids.ts";
import { foldName, slugCandidates } from "#server/lib/names.ts";
import { labelTables, labelWords } from "./label-kinds.ts";

export interface LabelRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  imageKey: string | null;
  coverKey: string | null;
  isPodcast: boolean;
  createdAt: Date;
  videoCount: number;
  isSeries: boolean;
}

/** Returns the stored count of a label: all videos for admins, listed ones for visitors. */
const countColumn = (isAdmin: boolean) => (isAdmin ? sql`videos` : sql`listed`);

/**
 * Number of videos compared for a cover, so that a label with 100,000 videos needs no more reads.
 */
const coverCandidates = 6;

/** Selects the thumbnail of the most viewed of a label's newest public videos. */
function coverColumn(kind: LabelKind) {
  if (kind === "tags") return sql`null::text`;
  const { join, column } = labelTables[kind];
  return sql`case when t.image_key is null then (
    select v.thumbnail_key from (
      select video_id from ${sql.table(join)}
      where ${sql.ref(column)} = t.id and listed_at is not null
      order by listed_at desc, video_id desc limit ${sql.lit(coverCandidates)}
    ) newest join videos v on v.id = newest.video_id
    where v.thumbnail_key is not null and v.is_listed and not v.is_age_limited
      and cardinality(v.closed_countries) = 0
    order by v.views desc, v.id limit 1
  ) end`;
}

/**
 * Returns labels. Visitors only get labels of listed videos, because other labels would reveal
 * drafts.
 */
export async function listLabel(
  db: DbOrTrx,
  kind: LabelKind,
  isAdmin: boolean,
): Promise<LabelRow[]> {
  const { rows } = await sql<LabelRow>`
    select t.id, t.name, t.slug, t.description, t.image_key as "imageKey",
      t.is_series as "isSeries",
      t.is_podcast as "isPodcast",
      ${coverColumn(kind)} as "coverKey",
      t.created_at as "createdAt", coalesce(c.n, 0) as "videoCount"
    from ${sql.table(kind)} t
    left join (
      select scope as id, sum(${countColumn(isAdmin)})::int as n
      from (select * from tallies union all select * from tally_changes) parts group by 1
    ) c on c.id = t.id
    where ${isAdmin} or c.n > 0
    order by lower(t.name), t.id`.execute(db);
  return rows;
}

/** Matches names that are the same by `foldName`. */
const hasName = (name: string) =>
  sql`(folded_name = ${foldName(name)} or lower(name) = lower(${name}))`;
const nearestName = (name: string) => sql`(lower(name) = lower(${name})) desc, id`;

/** Finds a label by id, slug or name. */
export async function findLabel(
  db: DbOrTrx,
  kind: LabelKind,
  key: { id: string } | { slugOrName: string },
  isAdmin: boolean,
): Promise<LabelRow | null> {
  const name = "id" in key ? "" : key.slugOrName;
  const where =
    "id" in key
      ? sql`t.id = ${key.id}`
      : sql`t.slug = ${key.slugOrName.toLowerCase()} or ${hasName(key.slugOrName)}`;
  const { rows } = await sql<LabelRow>`
    select t.id, t.name, t.slug, t.description, t.image_key as "imageKey",
      t.is_series as "isSeries",
      t.is_podcast as "isPodcast",
      ${coverColumn(kind)} as "coverKey",
      t.created_at as "createdAt",
      (select coalesce(sum(${countColumn(isAdmin)}), 0)::int from (
        select * from tallies where scope = t.id
        union all select * from tally_changes where scope = t.id) parts) as "videoCount"
    from ${sql.table(kind)} t where ${where}
    order by (t.slug = ${name.toLowerCase()}) desc, ${nearestName(name)} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns only the id for a current slug or name. Slugs take precedence. */
export async function findLabelId(
  db: DbOrTrx,
  kind: LabelKind,
  slugOrName: string,
): Promise<string | null> {
  const slug = slugOrName.toLowerCase();
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where slug = ${slug} or ${hasName(slugOrName)}
    order by (slug = ${slug}) desc, ${nearestName(slugOrName)} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Returns the id of the label with this name. Ignores slugs, which other names may share. */
export async function findIdByName(
  db: DbOrTrx,
  kind: LabelKind,
  name: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where ${hasName(name)}
    order by ${nearestName(name)} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Inserts a label under the first free slug, unless its name exists. Equal names try the same slugs
 * in the same order, so a request that adds the name at the same time waits here and then finds it.
 * @returns the id of the label with this name, and whether it is new.
 */
export async function insertLabel(
  trx: Trx,
  kind: LabelKind,
  values: { name: string; description: string | null; isPodcast?: boolean | undefined },
): Promise<{ id: string; isNew: boolean }> {
  const id = newId();
  const { name, description, isPodcast } = values;
  for (const slug of slugCandidates(name, labelWords[kind].entity)) {
    const known = await findIdByName(trx, kind, name);
    if (known !== null) return { id: known, isNew: false };
    const inserted = await trx
      .insertInto(kind)
      .values({
        ...{ id, name, folded_name: foldName(name), slug, description },
        ...(isPodcast === undefined ? {} : { is_podcast: isPodcast }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted !== undefined) break;
  }
  return { id, isNew: true };
}

/** Returns the first slug for a name that no other label has. */
export async function findFreeSlug(
  trx: Trx,
  kind: LabelKind,
  { name, exceptId }: { name: string; exceptId: string },
): Promise<string> {
  for (const slug of slugCandidates(name, labelWords[kind].entity)) {
    const other = await trx
      .selectFrom(kind)
      .select("id")
      .where("slug", "=", slug)
      .where("id", "<>", exceptId)
      .executeTakeFirst();
    if (other === undefined) return slug;
  }
  throw new Error("There is always another slug");
}

/** Locks a label for the rest of the transaction. */
export async function lockLabel(trx: Trx, kind: LabelKind, id: string): Promise<void> {
  await trx.selectFrom(kind).select("id").where("id", "=", id).forUpdate().execute();
}

/**
 * Raises the versions of a label's videos, so that a form that still has the old name can't save it.
 * Videos are locked in the order of their ids, and before labels, as in edits of videos.
 */
export async function raiseVersions(trx: Trx, kind: LabelKind, labelId: string): Promise<void> {
  const { join, column } = labelTables[kind];
  await sql`
    with l as materialized (
      select id from videos
      where id in (select video_id from ${sql.table(join)} where ${sql.ref(column)} = ${labelId})
      order by id for no key update
    )
    update videos v set version = version + 1 from l where v.id = l.id`.execute(trx);
}

export async function updateLabel(
  db: DbOrTrx,
  kind: LabelKind,
  id: string,
  values: {
    name?: string;
    folded_name?: string;
    slug?: string;
    description?: string | null;
    is_podcast?: boolean;
    image_key?: string | null;
    is_series?: boolean;
  },
): Promise<void> {
  await db
    .updateTable(kind)
    .set({ ...values, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}

export async function deleteLabel(db: DbOrTrx, kind: LabelKind, id: string): Promise<void> {
  await db.deleteFrom(kind).where("id", "=", id).execute();
  await deleteRedirects(db, kind, id);
}

/**
 * Replaces one label with another on every video.
 * @param keepsKeys true to take over the order. Otherwise, if the other label is a series, its new
 *   videos go to the end, in the same order.
 */
export async function moveLabels(
  db: DbOrTrx,
  kind: LabelKind,
  fromId: string,
  intoId: string,
  keepsKeys: boolean,
): Promise<void> {
  const { join, column } = labelTables[kind];
  await sql`
    insert into ${sql.table(join)} as j (video_id, ${sql.ref(column)}, position, series_key)
    select video_id, ${intoId}::uuid, position, case when ${keepsKeys} then series_key end
    from ${sql.table(join)} where ${sql.ref(column)} = ${fromId} order by series_key, video_id
    on conflict (video_id, ${sql.ref(column)}) do update set series_key = excluded.series_key
      where ${keepsKeys}`.execute(db);
  await sql`delete from ${sql.table(join)} where ${sql.ref(column)} = ${fromId}`.execute(db);
}

/** Does the same as `moveLabels` for videos in the trash, which may be restored later. */
export async function moveTrashedLabels(
  trx: Trx,
  kind: LabelKind,
  fromId: string,
  intoId: string,
  keepsKeys: boolean,
): Promise<void> {
  const { join, column } = labelTables[kind];
  const changes = { [column]: intoId, ...(keepsKeys ? {} : { series_key: null }) };
  const labels = sql`kept_rows -> ${sql.lit(join)}`;
  await sql`
    update removed_videos set kept_rows = jsonb_set(kept_rows, array[${sql.lit(join)}], (
      select jsonb_agg(case when label ->> ${sql.lit(column)} = ${fromId}
        then label || ${JSON.stringify(changes)}::jsonb else label end)
      from jsonb_array_elements(${labels}) label))
    where ${labels} @> ${JSON.stringify([{ [column]: fromId }])}::jsonb`.execute(trx);
}

export async function retargetRedirects(
  db: DbOrTrx,
  kind: LabelKind,
  fromId: string,
  intoId: string,
): Promise<void> {
  await db
    .updateTable("slug_redirects")
    .set({ target_id: intoId })
    .where("kind", "=", kind)
    .where("target_id", "=", fromId)
    .execute();
}

/** Makes the other label the podcast if only this one is. Subscribers keep the same podcast. */
export async function movePodcast(
  trx: Trx,
  kind: LabelKind,
  fromId: string,
  intoId: string,
): Promise<void> {
  await sql`
    update ${sql.table(kind)} i set is_podcast = true,
      podcast_guid_base = coalesce(f.podcast_guid_base, i.podcast_guid_base)
    from ${sql.table(kind)} f
    where i.id = ${intoId} and not i.is_podcast and f.id = ${fromId} and f.is_podcast`.execute(trx);
}

/** Pins the other label to the home page if this one is pinned. */
export async function retargetPins(trx: Trx, fromId: string, intoId: string): Promise<void> {
  await sql`
    update settings set pinned_labels = replace(pinned_labels::text, ${fromId}, ${intoId})::jsonb
    where id = 1 and strpos(pinned_labels::text, ${fromId}) > 0`.execute(trx);
}

const adTargets: Record<LabelKind, readonly (readonly [table: string, column: string])[]> = {
  categories: [
    ["ads", "target_categories"],
    ["campaigns", "target_categories"],
  ],
  tags: [["campaigns", "target_tags"]],
  actors: [],
};

/** Replaces a slug in the targets of ads and campaigns. */
export async function retargetAds(
  trx: Trx,
  kind: LabelKind,
  fromSlug: string,
  intoSlug: string,
): Promise<void> {
  for (const [table, column] of adTargets[kind]) {
    const slugs = sql.ref(column);
    await sql`
      update ${sql.table(table)} set version = version + 1,
        ${slugs} = case when ${intoSlug} = any(${slugs}) then array_remove(${slugs}, ${fromSlug})
          else array_replace(${slugs}, ${fromSlug}, ${intoSlug}) end
      where ${fromSlug} = any(${slugs})`.execute(trx);
  }
}

/** Replaces all labels of a video. */
export async function replaceLabels(
  db: DbOrTrx,
  kind: LabelKind,
  videoId: string,
  ids: string[],
): Promise<void> {
  const { join, column } = labelTables[kind];
  await sql`
    delete from ${sql.table(join)} where video_id = ${videoId}
      and not (${sql.ref(column)} = any(${ids}::uuid[]))`.execute(db);
  if (ids.length === 0) return;
  await sql`
    insert into ${sql.table(join)} (video_id, ${sql.ref(column)}, position)
    select ${videoId}::uuid, id, position::int
    from unnest(${ids}::uuid[]) with ordinality as given (id, position)
    on conflict (video_id, ${sql.ref(column)}) do update set position = excluded.position`.execute(
    db,
  );
}

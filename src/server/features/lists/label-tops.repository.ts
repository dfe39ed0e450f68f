import { sql } from "kysely";
import { labelKinds } from "#contract/lists/labels.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { labelTables } from "#server/db/label-tables.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { siteScope, sumOfListed } from "#server/db/tallies.ts";
import { countColumns } from "#server/db/video-counts.ts";
import type { LabelRef } from "#server/db/video-filter.ts";
import type { CursorKey } from "./list-order.ts";
import { isAfter, keyText, type ListedId, type ListPage } from "./video-list.repository.ts";

/** Every order of a label but the newest, by its number in the table. */
const topKeys = [
  "v.views",
  "v.rating",
  "v.trend",
  ...["today", "week", "month"].flatMap((range) => [`s.views_${range}`, `s.engagement_${range}`]),
];

function sortOf({ table, column }: Pick<CursorKey, "table" | "column">): number {
  return topKeys.indexOf(`${table === "videos" ? "v" : "s"}.${column}`);
}

const keysOfVideo = sql`array[${sql.join(topKeys.map((key) => sql`${sql.ref(key)}::float8`))}]`;
const videosWithScores = sql`videos v join video_range_scores s on s.video_id = v.id`;

/**
 * One page of a label in one of these orders, as far as the kept videos tell it: fewer rows than the
 * page has where they do not. And how long the list is.
 */
export async function listLabelTop(
  db: DbOrTrx,
  label: LabelRef,
  sort: CursorKey,
  page: ListPage,
): Promise<{ rows: ListedId[]; total: number }> {
  const number = sortOf(sort);
  const key = sql.ref(topKeys[number] ?? "");
  const scores =
    sort.table === "scores" ? sql`join video_range_scores s on s.video_id = v.id` : sql``;
  const { rows } = await sql<ListedId & { total: number }>`${prepared}
    select t.total, p.id, ${keyText(sql`p.key`, sort.kind)} as key, p.views, p.likes, p.stamp
    from (select ${sumOfListed(label.id)} as total) t
    left join (
      select v.id, ${key} as key, ${countColumns}
      from label_top_bounds b
      join label_tops kept on kept.label_id = b.label_id and kept.sort = b.sort
      join videos v on v.id = kept.video_id ${scores}
      where b.label_id = ${label.id} and b.sort = ${sql.lit(number)} and v.is_listed
        and (${key}::float8, v.id) >= (b.key, b.video_id)
        and ${isAfter(key, sql`v.id`, sort.kind, page.after)}
      order by ${key} desc, v.id desc limit ${page.limit} offset ${page.offset}
    ) p on true
    order by p.key desc, p.id desc`.execute(db);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/**
 * Adds videos whose counts have changed where they come before a bound. Returns the labels they
 * entered.
 */
export async function addRisen(db: DbOrTrx): Promise<string[]> {
  const links = labelKinds.map((kind) => {
    const { join, column } = labelTables[kind];
    return sql`select j.${sql.ref(column)} as label_id, k.*
      from keyed k join ${sql.table(join)} j on j.video_id = k.id where j.listed_at is not null`;
  });
  const { rows } = await sql<{ labelId: string }>`
    with taken as (delete from label_top_changes returning video_ids),
    changed as (select distinct unnest(video_ids) as id from taken),
    keyed as materialized (
      select v.id, ${keysOfVideo} as keys from changed join ${videosWithScores} using (id)
      where v.is_listed
    ),
    links as (${sql.join(links, sql` union all `)}),
    risen as (
      select l.label_id, b.sort, l.id as video_id
      from links l join label_top_bounds b on b.label_id = l.label_id
      where (l.keys[b.sort + 1], l.id) > (b.key, b.video_id)
    ), added as (
      insert into label_tops select * from risen on conflict do nothing returning label_id
    )
    select distinct label_id as "labelId" from added`.execute(db);
  return rows.map(({ labelId }) => labelId);
}

/** Those of these labels that keep more than `max` videos in one of the orders. */
export async function listOverfull(
  db: DbOrTrx,
  labelIds: readonly string[],
  max: number,
): Promise<string[]> {
  const { rows } = await sql<{ labelId: string }>`
    select distinct label_id as "labelId" from label_tops
    where label_id = any(${[...labelIds]}::uuid[])
    group by label_id, sort having count(*) > ${max}`.execute(db);
  return rows.map(({ labelId }) => labelId);
}

/** Labels with so many videos that nothing is kept of, or only what was chosen long ago. */
export async function listDue(
  db: DbOrTrx,
  options: { minListed: number; maxAgeH: number },
): Promise<string[]> {
  const { minListed, maxAgeH } = options;
  const { rows } = await sql<{ labelId: string }>`
    select t.scope as "labelId" from tallies t
    left join (
      select label_id, min(chosen_at) as chosen_at from label_top_bounds group by label_id
    ) b on b.label_id = t.scope
    where t.listed >= ${minListed} and t.scope <> ${siteScope}
      and (b.label_id is null or b.chosen_at < now() - make_interval(hours => ${maxAgeH}))
    order by b.chosen_at nulls first, t.scope`.execute(db);
  return rows.map(({ labelId }) => labelId);
}

/** Forgets what is kept of labels that have become small, or are gone. */
export async function deleteSmall(db: DbOrTrx, minListed: number): Promise<void> {
  await sql`
    with small as (
      delete from label_top_bounds b
      where not exists (select from tallies t
        where t.scope = b.label_id and t.listed >= ${minListed}) returning label_id
    )
    delete from label_tops where label_id in (select label_id from small)`.execute(db);
}

/**
 * Chooses the first `count` videos of a label in every order: of all its videos, or of those that are
 * kept of it, of which there may be more. Then the bounds only rise.
 */
export async function chooseTops(
  db: DbOrTrx,
  labelId: string,
  count: number,
  from: "all" | "kept",
): Promise<void> {
  // The id tells the kind: two of these three are empty.
  const all = labelKinds.map((kind) => {
    const { join, column } = labelTables[kind];
    return sql`select video_id from ${sql.table(join)}
      where ${sql.ref(column)} = ${labelId} and listed_at is not null`;
  });
  const ids =
    from === "all"
      ? sql.join(all, sql` union all `)
      : sql`select distinct video_id from label_tops where label_id = ${labelId}`;
  const first = topKeys.map(
    (_, at) => sql`(select ${sql.lit(at)}::smallint as sort, k.id, k.keys[${sql.lit(at + 1)}] as key
      from keyed k order by 3 desc, 2 desc limit ${count})`,
  );
  await sql`
    with ids as (${ids}), keyed as materialized (
      select v.id, ${keysOfVideo} as keys
      from ids join ${videosWithScores} on v.id = ids.video_id where v.is_listed
    ), chosen as materialized (${sql.join(first, sql` union all `)}
    ), dropped as (
      delete from label_tops t where label_id = ${labelId} and not exists (
        select from chosen c where c.sort = t.sort and c.id = t.video_id)
    ), added as (
      insert into label_tops select ${labelId}, sort, id from chosen on conflict do nothing
    )
    insert into label_top_bounds as b (label_id, sort, key, video_id)
    select distinct on (sort) ${labelId}::uuid, sort, key, id from chosen order by sort, key, id
    on conflict (label_id, sort) do update
      set key = excluded.key, video_id = excluded.video_id,
        chosen_at = ${from === "all" ? sql`excluded.chosen_at` : sql`b.chosen_at`}
      where ${
        from === "all" ? sql`true` : sql`(excluded.key, excluded.video_id) > (b.key, b.video_id)`
      }`.execute(db);
}

import { sql } from "kysely";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { Trx } from "#server/db/connection.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";
import { lockedRows, type ChangedVideo } from "./videos.repository.ts";

/** Adds labels to the end of the lists of videos that lack them. @returns the changed videos. */
export async function addLabels(
  trx: Trx,
  kind: LabelKind,
  ids: string[],
  labelIds: string[],
): Promise<ChangedVideo[]> {
  const { join, column } = labelTables[kind];
  const { rows } = await sql<ChangedVideo>`
    with l as materialized ${lockedRows(ids)},
    added as (
      insert into ${sql.table(join)} as j (video_id, ${sql.ref(column)}, position)
      select l.id, g.id,
        coalesce((select max(position) + 1 from ${sql.table(join)} where video_id = l.id), 0) + g.at - 1
      from l cross join unnest(${labelIds}::uuid[]) with ordinality as g (id, at)
      order by 1, 2
      on conflict do nothing
      returning j.video_id
    )
    update videos v set version = version + 1
    where v.id in (select video_id from added)
    returning v.id, v.title`.execute(trx);
  return rows;
}

/** Removes labels. @returns the videos that lost one. */
export async function removeLabels(
  trx: Trx,
  kind: LabelKind,
  ids: string[],
  labelIds: string[],
): Promise<ChangedVideo[]> {
  const { join, column } = labelTables[kind];
  const { rows } = await sql<ChangedVideo>`
    with l as materialized ${lockedRows(ids)},
    removed as (
      delete from ${sql.table(join)} j using l
      where j.video_id = l.id and j.${sql.ref(column)} = any(${labelIds}::uuid[])
      returning j.video_id
    )
    update videos v set version = version + 1
    where v.id in (select video_id from removed)
    returning v.id, v.title`.execute(trx);
  return rows;
}

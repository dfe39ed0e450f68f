import { sql } from "kysely";
import type { BulkAction } from "../../../contract/admin-videos.ts";
import type { Trx } from "../../db/connection.ts";
import type { AuditEntry } from "../audit/audit.service.ts";

/** What one part of a bulk job did: lines for the audit log, and files that nobody needs any more. */
export interface PartResult {
  entries: AuditEntry[];
  removed: { id: string; mediaToken: string }[];
}

interface ChangedRow {
  id: string;
  title: string;
}

const joins = {
  categories: { join: "video_categories", column: "category_id" },
  tags: { join: "video_tags", column: "tag_id" },
  actors: { join: "video_actors", column: "actor_id" },
} as const;

const updated = (rows: ChangedRow[], before: object, after: object): PartResult => ({
  entries: rows.map((row) => ({
    action: "video.updated",
    entity: "video",
    entityId: row.id,
    before: { title: row.title, ...before },
    after,
  })),
  removed: [],
});

/** Rows that the action changes, locked in the order of their ids like everywhere else. */
const locked = (ids: string[]) => sql`
  (select id from videos where id = any(${ids}::uuid[]) order by id for no key update)`;

/**
 * Does the action to these videos. Those that are already as wanted are left alone and not counted.
 * @param labelIds ids of the names of an action with labels.
 */
export function applyToPart(
  trx: Trx,
  action: BulkAction,
  ids: string[],
  labelIds: string[],
): Promise<PartResult> {
  switch (action.kind) {
    case "publish":
    case "unpublish":
      return setPublished(trx, ids, action.kind === "publish");
    case "set_premium":
      return setPremium(trx, ids, action.isPremium);
    case "add_labels":
    case "remove_labels":
      return changeLabels(trx, action, ids, labelIds);
    case "delete":
      return remove(trx, ids);
    default:
      return action satisfies never;
  }
}

async function setPublished(trx: Trx, ids: string[], isPublished: boolean): Promise<PartResult> {
  const { rows } = await sql<ChangedRow>`
    with l as materialized ${locked(ids)}
    update videos v set is_published = ${isPublished},
      published_at = case when ${isPublished} then coalesce(published_at, now()) else published_at end,
      publish_at = case when ${isPublished} then null else publish_at end,
      version = version + 1, updated_at = now()
    from l where v.id = l.id and v.is_published <> ${isPublished}
    returning v.id, v.title`.execute(trx);
  return updated(rows, { isPublished: !isPublished }, { isPublished });
}

async function setPremium(trx: Trx, ids: string[], isPremium: boolean): Promise<PartResult> {
  const { rows } = await sql<ChangedRow>`
    with l as materialized ${locked(ids)}
    update videos v set is_premium = ${isPremium}, version = version + 1, updated_at = now()
    from l where v.id = l.id and v.is_premium <> ${isPremium}
    returning v.id, v.title`.execute(trx);
  return updated(rows, { isPremium: !isPremium }, { isPremium });
}

type LabelAction = Extract<BulkAction, { kind: "add_labels" | "remove_labels" }>;

async function changeLabels(
  trx: Trx,
  { kind, label, names }: LabelAction,
  ids: string[],
  labelIds: string[],
): Promise<PartResult> {
  const isAdding = kind === "add_labels";
  const rows = isAdding
    ? await addLabels(trx, label, ids, labelIds)
    : await removeLabels(trx, label, ids, labelIds);
  return updated(rows, {}, { [isAdding ? "added" : "removed"]: { [label]: names } });
}

async function remove(trx: Trx, ids: string[]): Promise<PartResult> {
  const { rows } = await sql<ChangedRow & { slug: string; mediaToken: string }>`
    with l as materialized (
      select id from videos where id = any(${ids}::uuid[]) order by id for update)
    delete from videos v using l where v.id = l.id
    returning v.id, v.title, v.slug, v.media_token as "mediaToken"`.execute(trx);
  return {
    entries: rows.map((row) => ({
      action: "video.deleted",
      entity: "video",
      entityId: row.id,
      before: { title: row.title, slug: row.slug },
    })),
    removed: rows,
  };
}

async function addLabels(
  trx: Trx,
  label: keyof typeof joins,
  ids: string[],
  labelIds: string[],
): Promise<ChangedRow[]> {
  const { join, column } = joins[label];
  const { rows } = await sql<ChangedRow>`
    with l as materialized ${locked(ids)},
    added as (
      insert into ${sql.table(join)} as j (video_id, ${sql.ref(column)}, position)
      select l.id, g.id,
        coalesce((select max(position) + 1 from ${sql.table(join)} where video_id = l.id), 0) + g.at - 1
      from l cross join unnest(${labelIds}::uuid[]) with ordinality as g (id, at)
      order by 1, 2
      on conflict do nothing
      returning j.video_id
    )
    update videos v set version = version + 1, updated_at = now()
    where v.id in (select video_id from added)
    returning v.id, v.title`.execute(trx);
  return rows;
}

async function removeLabels(
  trx: Trx,
  label: keyof typeof joins,
  ids: string[],
  labelIds: string[],
): Promise<ChangedRow[]> {
  const { join, column } = joins[label];
  const { rows } = await sql<ChangedRow>`
    with l as materialized ${locked(ids)},
    removed as (
      delete from ${sql.table(join)} j using l
      where j.video_id = l.id and j.${sql.ref(column)} = any(${labelIds}::uuid[])
      returning j.video_id
    )
    update videos v set version = version + 1, updated_at = now()
    where v.id in (select video_id from removed)
    returning v.id, v.title`.execute(trx);
  return rows;
}

import { sql, type RawBuilder } from "kysely";
import type { AdminVideoFilter, AdminVideoSort } from "../../../contract/admin-videos.ts";
import type { TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import { matchesText } from "./list-filter.ts";
import type { TextMatch } from "./text-search.ts";

/** A filter whose labels and words have been looked up. */
export interface ResolvedFilter extends Pick<AdminVideoFilter, "state" | "premium"> {
  labelIds: Partial<Record<TaxonomyKind, string>>;
  match?: TextMatch;
}

const joins = {
  categories: { join: "video_categories", column: "category_id" },
  tags: { join: "video_tags", column: "tag_id" },
  actors: { join: "video_actors", column: "actor_id" },
} as const;

const states: Record<NonNullable<AdminVideoFilter["state"]>, RawBuilder<unknown>> = {
  published: sql`v.is_published`,
  draft: sql`not v.is_published`,
  scheduled: sql`v.publish_at is not null`,
  // Playable ones whose renditions are still being made are in work too.
  processing: sql`(v.status = 'processing' or (v.status = 'ready' and v.progress < 1))`,
  failed: sql`v.status = 'failed'`,
};

function where(filter: ResolvedFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (filter.state !== undefined) parts.push(states[filter.state]);
  if (filter.premium !== undefined) parts.push(sql`v.is_premium = ${filter.premium}`);
  for (const kind of ["categories", "tags", "actors"] as const) {
    const id = filter.labelIds[kind];
    if (id === undefined) continue;
    const { join, column } = joins[kind];
    parts.push(
      sql`exists (select from ${sql.table(join)} j
        where j.video_id = v.id and j.${sql.ref(column)} = ${id})`,
    );
  }
  if (filter.match !== undefined) parts.push(matchesText(sql`v.id`, filter.match));
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

const keys: Record<AdminVideoSort, RawBuilder<unknown>> = {
  created: sql`v.created_at`,
  title: sql`lower(v.title)`,
  views: sql`v.views`,
  likes: sql`v.likes`,
  duration: sql`v.duration_s`,
  size: sql`(v.stored_bytes + coalesce(v.source_bytes, 0))`,
};

export async function listAdminVideoIds(
  db: DbOrTrx,
  filter: ResolvedFilter,
  order: { sort: AdminVideoSort; isDescending: boolean },
  page: { limit: number; offset: number },
): Promise<string[]> {
  const direction = order.isDescending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ id: string }>`
    select v.id from videos v where ${where(filter)}
    order by ${keys[order.sort]} ${direction}, v.id ${direction}
    limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows.map((row) => row.id);
}

export async function countAdminVideos(db: DbOrTrx, filter: ResolvedFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from videos v where ${where(filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Ids of everything that matches, as a query. */
export function matchingIds(filter: ResolvedFilter): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select v.id from videos v where ${where(filter)}`;
}

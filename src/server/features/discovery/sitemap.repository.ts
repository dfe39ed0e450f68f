import { sql } from "kysely";
import { labelKinds } from "#contract/lists/labels.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { isMembersOnly } from "#server/features/videos/members-only.sql.ts";
import type { SitemapVideo } from "./sitemap-xml.ts";

/** Returns the listed videos that come after one of them, ordered by id. */
export async function listSitemapVideos(
  db: DbOrTrx,
  afterId: string | null,
  limit: number,
): Promise<SitemapVideo[]> {
  const { rows } = await sql<SitemapVideo>`
    select v.id, v.slug, v.title, left(v.description, 600) as description,
      coalesce(v.poster_key, v.thumbnail_key) as "pictureKey",
      case when not ${isMembersOnly} and not exists (
          select from settings where not media_on_other_sites and not media_without_origin)
        then v.progressive_key end as "progressiveKey",
      ${isMembersOnly} as "isMembersOnly",
      coalesce(nullif(v.embedding, 'site'), (select embedding from settings), 'any') = 'any'
        as "isEmbeddable",
      (v.is_age_limited or exists (select from settings where age_gate)) as "isAdult",
      array(select distinct unnest(v.closed_countries) order by 1) as "blockedCountries",
      v.duration_s as "durationS", v.views, v.published_at as "publishedAt",
      v.updated_at as "updatedAt",
      (select array_agg(t.name order by j.position, t.id) from video_tags j
        join tags t on t.id = j.tag_id where j.video_id = v.id) as tags
    from videos v
    where v.is_listed
      and ${afterId === null ? sql`true` : sql`v.id > ${afterId}::uuid`}
    order by v.id limit ${limit}`.execute(db);
  return rows;
}

/** Returns the id of the listed video number `count`. A part of the sitemap begins after it. */
export async function findVideoAt(db: DbOrTrx, count: number): Promise<string | null> {
  if (count === 0) return null;
  const { rows } = await sql<{ id: string }>`
    select video_id as id from video_range_scores where is_listed
    order by video_id offset ${count - 1} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Returns the paths of label pages with listed videos. */
export async function listLabelPaths(db: DbOrTrx): Promise<string[]> {
  const parts = labelKinds.map(
    (kind) => sql`
      select ${kind}::text as kind, t.slug from ${sql.table(kind)} t
      join (select scope from (select scope, listed from tallies
          union all select scope, listed from tally_changes) both_parts
        group by scope having sum(listed) > 0) used on used.scope = t.id`,
  );
  const { rows } = await sql<{ kind: string; slug: string }>`
    ${sql.join(parts, sql` union all `)} order by 1, 2`.execute(db);
  return rows.map(({ kind, slug }) => `/${kind}/${encodeURIComponent(slug)}`);
}

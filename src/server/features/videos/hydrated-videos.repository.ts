import { sql, type Selectable } from "kysely";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { Label } from "#contract/videos/videos.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { stampOfVideo } from "#server/db/video-counts.ts";
import type { VideosTable } from "#server/db/videos-schema.ts";
import type { HydratedVideo } from "./videos.presenter.ts";

/**
 * The videos of these ids with their labels, in the order of the ids. Unknown ids are left out. One
 * statement, so that row and labels are of the same moment.
 */
export async function hydrateVideos(db: DbOrTrx, ids: string[]): Promise<HydratedVideo[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<HydratedRow>`
    select v.*, ${stampOfVideo} as stamp, (
      select json_agg(json_build_array(kind, id, name, slug) order by position, name)
      from (
        select 'categories' as kind, j.position, t.id, t.name, t.slug
          from video_categories j join categories t on t.id = j.category_id where j.video_id = v.id
        union all
        select 'tags', j.position, t.id, t.name, t.slug
          from video_tags j join tags t on t.id = j.tag_id where j.video_id = v.id
        union all
        select 'actors', j.position, t.id, t.name, t.slug
          from video_actors j join actors t on t.id = j.actor_id where j.video_id = v.id
      ) l
    ) as labels
    from unnest(${ids}::uuid[]) with ordinality as given (id, at) join videos v using (id)
    order by given.at`.execute(db);
  return rows.map(({ labels, stamp, ...row }) => ({ row, stamp, labels: byKind(labels ?? []) }));
}

type LabelRow = [kind: LabelKind, id: string, name: string, slug: string];
type HydratedRow = Selectable<VideosTable> & { stamp: number; labels: LabelRow[] | null };

function byKind(rows: readonly LabelRow[]): Record<LabelKind, Label[]> {
  const labels: Record<LabelKind, Label[]> = { categories: [], tags: [], actors: [] };
  for (const [kind, id, name, slug] of rows) labels[kind].push({ id, name, slug });
  return labels;
}

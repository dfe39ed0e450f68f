import { sql } from "kysely";
import type { TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { Label } from "../../../contract/videos.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import type { HydratedVideo } from "./videos.presenter.ts";

/** The labels of a page of videos in one round trip, however many there are. */
async function listLabels(
  db: DbOrTrx,
  videoIds: string[],
): Promise<Map<string, Record<TaxonomyKind, Label[]>>> {
  const byVideo = new Map<string, Record<TaxonomyKind, Label[]>>();
  for (const id of videoIds) byVideo.set(id, { categories: [], tags: [], actors: [] });
  const { rows } = await sql<Label & { videoId: string; kind: TaxonomyKind }>`
    select 'categories' as kind, j.video_id as "videoId", j.position, t.id, t.name, t.slug
      from video_categories j join categories t on t.id = j.category_id
      where j.video_id = any(${videoIds}::uuid[])
    union all
    select 'tags', j.video_id, j.position, t.id, t.name, t.slug
      from video_tags j join tags t on t.id = j.tag_id
      where j.video_id = any(${videoIds}::uuid[])
    union all
    select 'actors', j.video_id, j.position, t.id, t.name, t.slug
      from video_actors j join actors t on t.id = j.actor_id
      where j.video_id = any(${videoIds}::uuid[])
    order by position, name`.execute(db);
  for (const { videoId, kind, id, name, slug } of rows) {
    byVideo.get(videoId)?.[kind].push({ id, name, slug });
  }
  return byVideo;
}

/** The videos of these ids with their labels, in the order of the ids. Unknown ids are left out. */
export async function hydrateVideos(db: DbOrTrx, ids: string[]): Promise<HydratedVideo[]> {
  if (ids.length === 0) return [];
  const [rows, labels] = await Promise.all([
    db
      .selectFrom("videos")
      .selectAll()
      .where("id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute(),
    listLabels(db, ids),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));

  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [{ row, labels: labels.get(id) ?? { categories: [], tags: [], actors: [] } }];
  });
}

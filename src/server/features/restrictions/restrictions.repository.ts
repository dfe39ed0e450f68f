import { sql } from "kysely";
import type { VideoEmbedding } from "#contract/site/embedding.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

interface RestrictedVideo {
  id: string;
  countries: string[];
}

/** Returns who may embed the videos that have a rule of their own, by id and by address. */
export async function readEmbeddings(db: DbOrTrx): Promise<Map<string, VideoEmbedding>> {
  const rows = await db
    .selectFrom("videos")
    .select(["id", "slug", "embedding"])
    .where("embedding", "<>", "site")
    .execute();
  return new Map(
    rows.flatMap(({ id, slug, embedding }) => [
      [id, embedding],
      [slug, embedding],
    ]),
  );
}

/**
 * Returns the videos that some countries may not see, some of them twice. Runs after every change of
 * a video, so each part reads an index: own rules, and those that clips have from long videos.
 */
export async function listRestrictedVideos(db: DbOrTrx): Promise<RestrictedVideo[]> {
  const { rows } = await sql<RestrictedVideo>`
    select id, closed_countries as countries from videos where blocked_countries <> '{}'
    union all
    select id, closed_countries from videos
    where clip_of is not null and held_countries <> '{}'`.execute(db);
  return rows;
}

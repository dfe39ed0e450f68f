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

/** Returns the videos that some countries may not see. */
export async function listRestrictedVideos(db: DbOrTrx): Promise<RestrictedVideo[]> {
  return db
    .selectFrom("videos")
    .select(["id", "closed_countries as countries"])
    .where(sql<boolean>`closed_countries <> '{}'`)
    .execute();
}

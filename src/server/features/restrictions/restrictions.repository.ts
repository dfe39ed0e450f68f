import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

export interface RestrictedVideo {
  id: string;
  countries: string[];
}

/** Returns the videos that some countries may not see. */
export async function listRestrictedVideos(db: DbOrTrx): Promise<RestrictedVideo[]> {
  return db
    .selectFrom("videos")
    .select(["id", "blocked_countries as countries"])
    .where(sql<boolean>`blocked_countries <> '{}'`)
    .execute();
}

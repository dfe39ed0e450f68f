import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Returns listed videos that a visitor liked or saved, most recent first. */
export async function listFavoriteIds(
  db: DbOrTrx,
  visitorId: string,
  limit: number,
  offset: number,
): Promise<{ ids: string[]; likedIds: Set<string>; total: number }> {
  const { rows } = await sql<{ id: string; isLiked: boolean; total: number }>`
    with marked as (
      select video_id, created_at, true as is_liked from likes where visitor_id = ${visitorId}
      union all
      select video_id, created_at, false from favorites where visitor_id = ${visitorId}
    ), latest as (
      select video_id, max(created_at) as at, bool_or(is_liked) as is_liked from marked group by 1
    )
    select v.id, l.is_liked as "isLiked", count(*) over () as total
    from latest l join videos v on v.id = l.video_id
    where v.is_listed
    order by l.at desc, v.id desc limit ${limit} offset ${offset}`.execute(db);
  return {
    ids: rows.map((row) => row.id),
    likedIds: new Set(rows.filter((row) => row.isLiked).map((row) => row.id)),
    total: rows[0]?.total ?? 0,
  };
}

export async function insertFavorite(
  db: DbOrTrx,
  videoId: string,
  visitorId: string,
): Promise<void> {
  await db
    .insertInto("favorites")
    .values({ video_id: videoId, visitor_id: visitorId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Saves one visitor's liked or saved videos for another, most recent first. */
export async function copyFavorites(
  db: DbOrTrx,
  visitors: { fromId: string; toId: string; max: number },
): Promise<void> {
  await sql`
    insert into favorites (video_id, visitor_id, created_at)
    select video_id, ${visitors.toId}, max(created_at) as at from (
      select video_id, created_at from likes where visitor_id = ${visitors.fromId}
      union all
      select video_id, created_at from favorites where visitor_id = ${visitors.fromId}
    ) marked
    group by video_id order by at desc limit ${visitors.max}
    on conflict do nothing`.execute(db);
}

export async function deleteFavorite(
  db: DbOrTrx,
  videoId: string,
  visitorId: string,
): Promise<void> {
  await db
    .deleteFrom("favorites")
    .where("video_id", "=", videoId)
    .where("visitor_id", "=", visitorId)
    .execute();
}

export async function isFavorite(
  db: DbOrTrx,
  videoId: string,
  visitorId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("favorites")
    .select("video_id")
    .where("video_id", "=", videoId)
    .where("visitor_id", "=", visitorId)
    .executeTakeFirst();
  return row !== undefined;
}

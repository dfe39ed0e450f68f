import { sql } from "kysely";
import type { AdminStorage } from "#contract/lists/admin-statistics.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

const listedUsers = 50;
const listedVideos = 20;

/** Returns the bytes of each uploader's videos, largest first. */
export async function listUsage(db: DbOrTrx): Promise<AdminStorage["users"]> {
  const { rows } = await sql<AdminStorage["users"][number]>`
    select u.id, coalesce(nullif(u.name, ''), u.email) as name, sums.videos,
      sums."originalBytes", sums."renditionBytes"
    from (
      select uploaded_by, count(*)::int as videos,
        coalesce(sum(source_bytes), 0)::float8 as "originalBytes",
        coalesce(sum(stored_bytes), 0)::float8 as "renditionBytes"
      from videos group by uploaded_by
    ) sums left join users u on u.id = sums.uploaded_by
    order by "originalBytes" + "renditionBytes" desc limit ${listedUsers}`.execute(db);
  return rows;
}

export async function listLargestVideos(db: DbOrTrx): Promise<AdminStorage["videos"]> {
  const { rows } = await sql<AdminStorage["videos"][number]>`
    select id, title, coalesce(source_bytes, 0)::float8 as "originalBytes",
      stored_bytes::float8 as "renditionBytes"
    from videos order by stored_bytes + coalesce(source_bytes, 0) desc, id
    limit ${listedVideos}`.execute(db);
  return rows;
}

export async function readTrashBytes(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size_bytes), 0)::float8 as bytes from removed_videos`.execute(db);
  return rows[0]?.bytes ?? 0;
}

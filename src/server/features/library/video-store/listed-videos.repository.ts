import { sql } from "kysely";
import type { DbOrTrx } from "../../../db/connection.ts";
import { prepared } from "../../../db/prepared-statements.ts";
import { countColumns, type VideoCounts } from "../../../db/video-counts.ts";

type CountsRow = VideoCounts & { id: string };

/** Of those of these videos that are listed, by id. */
export async function readListedCounts(
  db: DbOrTrx,
  ids: string[],
): Promise<Map<string, VideoCounts>> {
  const { rows } = await sql<CountsRow>`${prepared}
    select v.id, ${countColumns} from videos v
    where v.id = any(${ids}::uuid[]) and v.is_listed`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same by slug. */
export async function readListedCountsBySlug(
  db: DbOrTrx,
  slugs: string[],
): Promise<Map<string, CountsRow>> {
  const { rows } = await sql<CountsRow & { slug: string }>`${prepared}
    select v.slug, v.id, ${countColumns} from videos v
    where v.slug = any(${slugs}::text[]) and v.is_listed`.execute(db);
  return new Map(rows.map((row) => [row.slug, row]));
}

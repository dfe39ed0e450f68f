import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { countColumns, type VideoCounts } from "#server/db/video-counts.ts";

type CountsRow = VideoCounts & { id: string };

/** What lists show, or what the own address of a video shows as well. */
export type Shown = "listed" | "reachable";

/** Of those of these videos that are shown, by id. */
export async function readCounts(
  db: DbOrTrx,
  ids: string[],
  shown: Shown,
): Promise<Map<string, VideoCounts>> {
  const { rows } = await sql<CountsRow>`${prepared}
    select v.id, ${countColumns} from videos v
    where v.id = any(${ids}::uuid[]) and ${sql.ref(`v.is_${shown}`)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same by slug, of reachable ones. */
export async function readCountsBySlug(
  db: DbOrTrx,
  slugs: string[],
): Promise<Map<string, CountsRow>> {
  const { rows } = await sql<CountsRow & { slug: string }>`${prepared}
    select v.slug, v.id, ${countColumns} from videos v
    where v.slug = any(${slugs}::text[]) and v.is_reachable`.execute(db);
  return new Map(rows.map((row) => [row.slug, row]));
}

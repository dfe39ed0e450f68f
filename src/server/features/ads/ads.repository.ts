import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import type { AdListQuery } from "../../../contract/ads.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import type { AdsTable } from "../../db/schema.ts";

export type AdRow = Selectable<AdsTable>;

/** Text as a `like` pattern that matches it anywhere, letter by letter. */
const anywhere = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

export async function listAds(
  db: DbOrTrx,
  query: AdListQuery,
  page: { limit: number; offset: number },
): Promise<{ rows: AdRow[]; total: number }> {
  const { search, type, placement, active } = query;
  let filtered = db.selectFrom("ads");
  if (search !== undefined) {
    const pattern = anywhere(search);
    filtered = filtered.where((where) =>
      where.or([
        where(sql`lower(title)`, "like", pattern),
        where(sql`lower(coalesce(description, ''))`, "like", pattern),
      ]),
    );
  }
  if (type !== undefined) filtered = filtered.where("type", "=", type);
  if (placement !== undefined) filtered = filtered.where("placement", "=", placement);
  if (active !== undefined) filtered = filtered.where("is_active", "=", active);

  const rows = await filtered
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await filtered
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function findAd(db: DbOrTrx, id: string): Promise<AdRow | null> {
  const row = await db.selectFrom("ads").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockAd(trx: DbOrTrx, id: string): Promise<AdRow | null> {
  const row = await trx
    .selectFrom("ads")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function insertAd(db: DbOrTrx, values: Insertable<AdsTable>): Promise<AdRow> {
  return await db.insertInto("ads").values(values).returningAll().executeTakeFirstOrThrow();
}

export async function updateAd(
  db: DbOrTrx,
  id: string,
  values: Updateable<AdsTable>,
): Promise<AdRow> {
  return await db
    .updateTable("ads")
    .set({ ...values, updated_at: new Date() })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteAd(db: DbOrTrx, id: string): Promise<void> {
  await db.deleteFrom("ads").where("id", "=", id).execute();
}

/**
 * Every ad that is or may yet come to be shown: active and not over. One index scan
 * (`ads_delivery_idx`), read again only when something changed.
 */
export async function listDeliverable(db: DbOrTrx, now: Date): Promise<AdRow[]> {
  return await db
    .selectFrom("ads")
    .selectAll()
    .where("is_active", "=", true)
    .where(sql<Date>`coalesce(ends_at, 'infinity'::timestamptz)`, ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export interface ShownCounts {
  id: string;
  total: number;
  today: number;
}

/** How often these were shown so far, altogether and on this day. */
export async function listShownCounts(
  db: DbOrTrx,
  ids: string[],
  day: string,
): Promise<ShownCounts[]> {
  const { rows } = await sql<ShownCounts>`
    select a.id, a.impressions as total,
      coalesce((select sum(s.impressions) from ad_stats_daily s
        where s.ad_id = a.id and s.day = ${day}::date), 0)::bigint as today
    from ads a where a.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** How often this visitor saw which capped ads on this day. */
export async function listVisitorCounts(
  db: DbOrTrx,
  visitorId: string,
  day: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("ad_visitor_days")
    .select(["ad_id", "impressions"])
    .where("visitor_id", "=", visitorId)
    .where("day", "=", sql<string>`${day}::date`)
    .execute();
  return new Map(rows.map((row) => [row.ad_id, row.impressions]));
}

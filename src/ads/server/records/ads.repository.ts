import { sql, type Selectable, type Updateable } from "kysely";
import type { AdListQuery } from "../../contract/ads.ts";
import type { AdInput, AdPatch } from "../../contract/ads.input.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { AdsTable } from "#server/db/schema.ts";

export type AdRow = Selectable<AdsTable>;

/** Returns a `like` pattern that matches the literal text anywhere. */
const anywhere = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

export async function listAds(
  db: DbOrTrx,
  query: AdListQuery,
  page: { limit: number; offset: number },
): Promise<{ rows: AdRow[]; total: number }> {
  const { search, type, placement, active, campaign } = query;
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
  if (campaign !== undefined) filtered = filtered.where("campaign_id", "=", campaign);
  if (active !== undefined) filtered = filtered.where("is_active", "=", active);

  const rows = await filtered
    .selectAll()
    // Ads waiting for approval come first.
    .orderBy("is_approved")
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

/** Finds and locks the row until the transaction ends. */
export async function lockAd(trx: DbOrTrx, id: string): Promise<AdRow | null> {
  const row = await trx
    .selectFrom("ads")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

const dateOf = (text: string | null | undefined) =>
  text === undefined || text === null ? text : new Date(text);

/** Returns the columns of the given fields. */
function columnsOf(input: AdPatch): Updateable<AdsTable> {
  return {
    campaign_id: input.campaignId,
    title: input.title,
    description: input.description,
    content: input.content,
    type: input.type,
    placement: input.placement,
    image_url: input.imageUrl,
    link_url: input.linkUrl,
    vast_tag_url: input.vastTagUrl,
    starts_at: dateOf(input.startDate),
    ends_at: dateOf(input.endDate),
    is_active: input.isActive,
    is_approved: input.isApproved,
    trust: input.trust,
    origins: input.origins,
    width_px: input.widthPx,
    height_px: input.heightPx,
    weight: input.weight,
    visitor_daily_cap: input.visitorDailyCap,
    daily_limit: input.dailyLimit,
    total_limit: input.totalLimit,
    has_even_pacing: input.hasEvenPacing,
    is_house: input.isHouse,
    ignores_break_rules: input.ignoresBreakRules,
    is_bumper: input.isBumper,
    target_categories: input.targetCategories,
    target_devices: input.targetDevices,
    target_languages: input.targetLanguages,
  };
}

export async function insertAd(
  db: DbOrTrx,
  id: string,
  input: AdInput & Pick<AdPatch, "isApproved">,
): Promise<AdRow> {
  const { title, type, placement } = input;
  return await db
    .insertInto("ads")
    .values({ ...columnsOf(input), id, title, type, placement })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Updates the given fields. */
export async function updateAd(db: DbOrTrx, id: string, patch: AdPatch): Promise<AdRow> {
  return await db
    .updateTable("ads")
    .set({ ...columnsOf(patch), updated_at: new Date(), version: sql`version + 1` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Lists active ads whose HTML runs in the pages. They determine the pages' policy. */
export async function listTrusted(
  db: DbOrTrx,
): Promise<{ content: string | null; origins: string[] }[]> {
  return await db
    .selectFrom("ads")
    .select(["content", "origins"])
    .where("trust", "=", "page")
    .where("is_active", "=", true)
    .execute();
}

export async function deleteAd(db: DbOrTrx, id: string): Promise<void> {
  await db.deleteFrom("ads").where("id", "=", id).execute();
}

/** Returns whether the ad has any counts. */
export async function hasFigures(db: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ad_stats_daily where ad_id = ${id}) as found`.execute(db);
  return rows[0]?.found === true;
}

/**
 * Prevents the deletion of a campaign until the transaction ends. @returns false if it doesn't
 * exist.
 */
export async function holdCampaign(trx: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql`select from campaigns where id = ${id} for key share`.execute(trx);
  return rows.length > 0;
}

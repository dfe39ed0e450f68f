import { sql, type Insertable, type Selectable } from "kysely";
import type { AdvertiserInput, CampaignInput } from "../../contract/campaigns.input.ts";
import type { CampaignsTable } from "#server/db/schema.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { AdRow } from "./ads.repository.ts";

export type CampaignRow = Selectable<CampaignsTable>;
/** Campaign with the additional data of lists. */
export type ListedCampaign = CampaignRow & {
  advertiser_name: string;
  ad_count: number;
  revenue_micros: number;
};

/** Selects the booked revenue of a campaign, in millionths of its currency. */
export const bookedMicros = sql<number>`(
  select coalesce(sum(d.micros), 0) from campaign_days d
  where d.campaign_id = campaigns.id and d.currency = campaigns.currency)`;

export interface AdvertiserRow {
  id: string;
  name: string;
  contact: string | null;
  notes: string | null;
  isShared: boolean;
  createdAt: Date;
  version: number;
  campaignCount: number;
}

const micros = (value: number | null | undefined) =>
  value == null ? null : Math.round(value * 1_000_000);
const dateOf = (text: string | null | undefined) => (text == null ? null : new Date(text));

/** Returns all columns. Missing fields get their default. */
const columnsOf = (input: CampaignInput): Omit<Insertable<CampaignsTable>, "id"> => ({
  advertiser_id: input.advertiserId,
  name: input.name,
  is_active: input.isActive ?? true,
  starts_at: dateOf(input.startDate),
  ends_at: dateOf(input.endDate),
  priority: input.priority ?? "standard",
  goal: input.goal ?? "none",
  goal_amount: input.goal === undefined || input.goal === "none" ? null : input.goalAmount,
  price_model: input.priceModel ?? "none",
  price_micros: input.priceModel === undefined ? null : micros(input.price),
  currency: input.currency ?? "EUR",
  budget_micros: micros(input.budget),
  has_even_pacing: input.hasEvenPacing ?? true,
  hourly_cap: input.hourlyCap ?? null,
  daily_cap: input.dailyCap ?? null,
  lifetime_cap: input.lifetimeCap ?? null,
  visitor_daily_cap: input.visitorDailyCap ?? null,
  rotation: input.rotation ?? "even",
  separation: input.separation ?? null,
  target_categories: input.targetCategories ?? [],
  target_tags: input.targetTags ?? [],
  target_devices: input.targetDevices ?? [],
  target_languages: input.targetLanguages ?? [],
  target_countries: input.targetCountries ?? [],
  target_hours: input.targetHours ?? [],
  target_referrals: input.targetReferrals ?? [],
});

function listed(db: DbOrTrx) {
  return db
    .selectFrom("campaigns")
    .innerJoin("advertisers", "advertisers.id", "campaigns.advertiser_id")
    .selectAll("campaigns")
    .select("advertisers.name as advertiser_name")
    .select(
      sql<number>`(select count(*)::int from ads where ads.campaign_id = campaigns.id)`.as(
        "ad_count",
      ),
    )
    .select(bookedMicros.as("revenue_micros"));
}

/** Returns campaigns, newest first. */
export async function listCampaigns(db: DbOrTrx): Promise<ListedCampaign[]> {
  return await listed(db)
    .orderBy("campaigns.created_at", "desc")
    .orderBy("campaigns.id", "desc")
    .execute();
}

export async function findCampaign(db: DbOrTrx, id: string): Promise<ListedCampaign | null> {
  return (await listed(db).where("campaigns.id", "=", id).executeTakeFirst()) ?? null;
}

export async function lockCampaign(trx: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql`select from campaigns where id = ${id} for update`.execute(trx);
  return rows.length > 0;
}

export async function insertCampaign(db: DbOrTrx, id: string, input: CampaignInput): Promise<void> {
  await db
    .insertInto("campaigns")
    .values({ id, ...columnsOf(input) })
    .execute();
}

export async function updateCampaign(db: DbOrTrx, id: string, input: CampaignInput): Promise<void> {
  await db
    .updateTable("campaigns")
    .set({ ...columnsOf(input), version: sql`version + 1` })
    .where("id", "=", id)
    .execute();
}

/** @returns false if it still has ads. */
export async function deleteCampaign(db: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from campaigns where id = ${id}
      and not exists (select from ads where campaign_id = ${id}) returning id`.execute(db);
  return rows.length > 0;
}

export async function listCampaignAds(db: DbOrTrx, campaignId: string): Promise<AdRow[]> {
  return await db
    .selectFrom("ads")
    .selectAll()
    .where("campaign_id", "=", campaignId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

const advertiserColumns = sql`
  a.id, a.name, a.contact, a.notes, a.share_hash is not null as "isShared",
  a.created_at as "createdAt", a.version,
  (select count(*)::int from campaigns c where c.advertiser_id = a.id) as "campaignCount"`;

export async function listAdvertisers(db: DbOrTrx): Promise<AdvertiserRow[]> {
  const { rows } = await sql<AdvertiserRow>`
    select ${advertiserColumns} from advertisers a order by lower(a.name)`.execute(db);
  return rows;
}

async function findAdvertiser(db: DbOrTrx, id: string): Promise<AdvertiserRow | null> {
  const { rows } = await sql<AdvertiserRow>`
    select ${advertiserColumns} from advertisers a where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Finds and locks the row until the transaction ends. */
export async function lockAdvertiser(trx: DbOrTrx, id: string): Promise<AdvertiserRow | null> {
  await sql`select from advertisers where id = ${id} for update`.execute(trx);
  return findAdvertiser(trx, id);
}

/** @returns false if another advertiser has the name. */
export async function insertAdvertiser(
  db: DbOrTrx,
  id: string,
  { name, contact, notes }: AdvertiserInput,
): Promise<boolean> {
  const { rows } = await sql`
    insert into advertisers (id, name, contact, notes)
    values (${id}, ${name}, ${contact ?? null}, ${notes ?? null})
    on conflict (lower(name)) do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** @returns false if another advertiser has the name. */
export async function updateAdvertiser(
  db: DbOrTrx,
  id: string,
  { name, contact, notes }: AdvertiserInput,
): Promise<boolean> {
  const { rows } = await sql`
    update advertisers
    set name = ${name}, contact = ${contact ?? null}, notes = ${notes ?? null}, version = version + 1
    where id = ${id} and not exists (
      select from advertisers o where lower(o.name) = lower(${name}) and o.id <> ${id})
    returning id`.execute(db);
  return rows.length > 0;
}

/** @returns false if it still has campaigns. */
export async function deleteAdvertiser(db: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from advertisers where id = ${id}
      and not exists (select from campaigns where advertiser_id = ${id}) returning id`.execute(db);
  return rows.length > 0;
}

/** @param hash hash of the secret link's key; null invalidates the link. */
export async function setShareHash(db: DbOrTrx, id: string, hash: Buffer | null): Promise<void> {
  await sql`update advertisers set share_hash = ${hash} where id = ${id}`.execute(db);
}

export async function findAdvertiserByShare(
  db: DbOrTrx,
  hash: Buffer,
): Promise<AdvertiserRow | null> {
  const { rows } = await sql<AdvertiserRow>`
    select ${advertiserColumns} from advertisers a where a.share_hash = ${hash}`.execute(db);
  return rows[0] ?? null;
}

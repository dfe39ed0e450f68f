import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId, newLinkToken, sha256 } from "#server/lib/ids.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type {
  Advertiser,
  Campaign,
  CampaignDetails,
  CampaignList,
  ComparedAd,
  Forecast,
  CampaignState,
} from "../../contract/campaigns.ts";
import type { AdvertiserInput, CampaignInput } from "../../contract/campaigns.input.ts";
import { bookFlatPrices } from "../records/campaign-days.repository.ts";
import * as repository from "../records/campaigns.repository.ts";
import type { AdRow } from "../records/ads.repository.ts";
import { plainRulesOf, rulesOf, toMoney } from "../rules/campaign-pricing.ts";
import { elapsedShare, type CampaignCounts, type CampaignRules } from "../rules/campaign-rules.ts";

interface Clicked {
  impressions: number;
  clicks: number;
}

/** Returns the click rate and its 95% Wilson interval, in percent. */
function clickRateInterval({ impressions, clicks }: Clicked) {
  if (impressions === 0) return { rate: 0, rateFrom: 0, rateTo: 100 };
  const z = 1.96;
  const p = Math.min(1, clicks / impressions);
  const share = (z * z) / impressions;
  const middle = p + share / 2;
  const half = z * Math.sqrt((p * (1 - p)) / impressions + share / (4 * impressions));
  const percent = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 1000;
  return {
    rate: percent(p),
    rateFrom: percent((middle - half) / (1 + share)),
    rateTo: percent((middle + half) / (1 + share)),
  };
}

/** Returns the state of a campaign. A campaign that is off and was never shown is a draft. */
function stateOf(
  isActive: boolean,
  rules: CampaignRules,
  counts: Pick<CampaignCounts, "impressions" | "viewable" | "clicks">,
  nowMs: number,
): CampaignState {
  const { goal, goalAmount, paid, lifetimeCap, startsAtMs, endsAtMs } = rules;
  const isCounted = goal === "impressions" || goal === "viewable" || goal === "clicks";
  const isReached =
    (isCounted && goalAmount !== null && counts[goal] >= goalAmount) ||
    (paid !== null && counts[paid.measure] >= paid.count) ||
    (lifetimeCap !== null && counts.impressions >= lifetimeCap);
  if (endsAtMs <= nowMs || isReached) return "completed";
  if (!isActive) return counts.impressions === 0 ? "draft" : "paused";
  return startsAtMs > nowMs ? "scheduled" : "running";
}

/**
 * Forecasts a campaign: its results so far divided by the elapsed share of its active hours. The
 * goal is the campaign's own, otherwise the number of events that its budget pays for.
 */
function forecastCampaign(
  rules: CampaignRules,
  counts: Pick<CampaignCounts, "impressions" | "viewable" | "clicks">,
  nowMs: number,
): Forecast | null {
  const { goal, goalAmount, paid } = rules;
  const target =
    goal !== "none" && goal !== "share" && goalAmount !== null
      ? { measure: goal, count: goalAmount }
      : paid;
  const elapsed = elapsedShare(rules, nowMs);
  if (target === null || target.count === 0 || elapsed === null || elapsed === 0) return null;
  // Delivery stops at the goal.
  const expected = Math.min(target.count, Math.round(counts[target.measure] / elapsed));
  return {
    expected,
    goal: target.count,
    percent: Math.floor((100 * expected) / target.count),
    elapsedPercent: Math.round(elapsed * 1000) / 10,
  };
}

const amountOf = (micros: number | null) => (micros === null ? null : micros / 1_000_000);

const presentAdvertiser = (row: repository.AdvertiserRow): Advertiser => ({
  id: row.id,
  name: row.name,
  contact: row.contact,
  notes: row.notes,
  campaignCount: row.campaignCount,
  isShared: row.isShared,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
});

const presentCampaign = (
  row: repository.ListedCampaign,
  nowMs: number,
  zone: string,
): Campaign => ({
  ...plainRulesOf(row),
  advertiserId: row.advertiser_id,
  advertiserName: row.advertiser_name,
  name: row.name,
  isActive: row.is_active,
  state: stateOf(row.is_active, rulesOf(row, zone), row, nowMs),
  startDate: row.starts_at?.toISOString() ?? null,
  endDate: row.ends_at?.toISOString() ?? null,
  priceModel: row.price_model,
  price: amountOf(row.price_micros),
  currency: row.currency,
  budget: amountOf(row.budget_micros),
  targetHours: row.target_hours,
  adCount: row.ad_count,
  impressions: row.impressions,
  viewable: row.viewable,
  clicks: row.clicks,
  revenue: toMoney(row.revenue_micros),
  forecast: forecastCampaign(rulesOf(row, zone), row, nowMs),
  createdAt: row.created_at.toISOString(),
  version: row.version,
});

function presentComparedAd(row: AdRow): ComparedAd {
  const counts = { impressions: row.verified_impressions, clicks: row.verified_clicks };
  return {
    id: row.id,
    title: row.title,
    placement: row.placement,
    isActive: row.is_active,
    isApproved: row.is_approved,
    weight: row.weight,
    ...counts,
    ...clickRateInterval(counts),
  };
}

/** Manages advertisers and campaigns. */
export interface CampaignsService {
  listAdvertisers(): Promise<Advertiser[]>;
  /** @throws AppError conflict for a name in use; edit_conflict; not_found. */
  saveAdvertiser(id: string | null, input: AdvertiserInput, actor: Actor): Promise<Advertiser>;
  /** @throws AppError not_found, conflict while it has campaigns. */
  removeAdvertiser(id: string, actor: Actor): Promise<void>;
  /** Creates a secret link and invalidates the previous one. @throws AppError not_found. */
  share(id: string, actor: Actor): Promise<{ key: string }>;
  /** Invalidates the secret link. @throws AppError not_found. */
  unshare(id: string, actor: Actor): Promise<void>;
  listCampaigns(): Promise<CampaignList>;
  /** @throws AppError not_found. */
  getCampaign(id: string): Promise<CampaignDetails>;
  /** Replaces all fields. @throws AppError not_found, invalid, edit_conflict. */
  saveCampaign(id: string | null, input: CampaignInput, actor: Actor): Promise<Campaign>;
  /** @throws AppError not_found, conflict while it has ads. */
  removeCampaign(id: string, actor: Actor): Promise<void>;
}

async function lockAdvertiser(trx: Trx, id: string): Promise<Advertiser> {
  const row = isUuid(id) ? await repository.lockAdvertiser(trx, id) : null;
  if (row === null) throw new AppError("not_found", "Advertiser not found");
  return presentAdvertiser(row);
}

/** Advertisers of the campaigns. */
function createAdvertisers(
  db: Db,
): Pick<
  CampaignsService,
  "listAdvertisers" | "saveAdvertiser" | "removeAdvertiser" | "share" | "unshare"
> {
  /** @param key key of the secret link; null invalidates it. */
  async function setShare(id: string, key: string | null, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { name } = await lockAdvertiser(trx, id);
      await repository.setShareHash(trx, id, key === null ? null : sha256(key));
      await recordAudit(trx, actor, {
        action: key === null ? "advertiser.unshared" : "advertiser.shared",
        entity: "advertiser",
        entityId: id,
        after: { name },
      });
    });
  }

  return {
    async listAdvertisers() {
      return (await repository.listAdvertisers(db)).map(presentAdvertiser);
    },

    async saveAdvertiser(id, input, actor) {
      return db.transaction().execute(async (trx) => {
        const before = id === null ? null : await lockAdvertiser(trx, id);
        if (before !== null) checkVersion(input.version, before.version, "this advertiser");
        const savedId = before?.id ?? newId();
        const isSaved =
          before === null
            ? await repository.insertAdvertiser(trx, savedId, input)
            : await repository.updateAdvertiser(trx, savedId, input);
        if (!isSaved) throw new AppError("conflict", "Another advertiser already has this name.");
        const after = await lockAdvertiser(trx, savedId);
        await recordAudit(trx, actor, {
          action: before === null ? "advertiser.created" : "advertiser.updated",
          entity: "advertiser",
          entityId: savedId,
          after,
          ...(before === null ? {} : { before }),
        });
        return after;
      });
    },

    async removeAdvertiser(id, actor) {
      await db.transaction().execute(async (trx) => {
        const before = await lockAdvertiser(trx, id);
        if (!(await repository.deleteAdvertiser(trx, id))) {
          throw new AppError("conflict", "This advertiser still has campaigns. Remove them first.");
        }
        const entry = { entity: "advertiser", entityId: id, before };
        await recordAudit(trx, actor, { action: "advertiser.deleted", ...entry });
      });
    },

    async share(id, actor) {
      const key = newLinkToken();
      await setShare(id, key, actor);
      return { key };
    },

    unshare: (id, actor) => setShare(id, null, actor),
  };
}

export function createCampaignsService(deps: {
  db: Db;
  clock: Clock;
  changed: PublishChanges;
  settings: SettingsService;
}): CampaignsService {
  const { db, clock, changed, settings } = deps;

  async function readCampaign(from: Db | Trx, id: string): Promise<Campaign> {
    const row = isUuid(id) ? await repository.findCampaign(from, id) : null;
    if (row === null) throw new AppError("not_found", "Campaign not found");
    return presentCampaign(row, clock.now(), (await settings.current()).timeZone);
  }

  return {
    ...createAdvertisers(db),

    async listCampaigns() {
      await bookFlatPrices(db, clock.date(), null);
      const rows = await repository.listCampaigns(db);
      const { timeZone } = await settings.current();
      const campaigns = rows.map((row) => presentCampaign(row, clock.now(), timeZone));
      return { campaigns, timeZone };
    },

    async getCampaign(id) {
      if (isUuid(id)) await bookFlatPrices(db, clock.date(), id);
      const campaign = await readCampaign(db, id);
      const ads = await repository.listCampaignAds(db, id);
      return { campaign, ads: ads.map(presentComparedAd) };
    },

    async saveCampaign(id, input, actor) {
      const saved = await db.transaction().execute(async (trx) => {
        if (id !== null && isUuid(id)) await repository.lockCampaign(trx, id);
        const before = id === null ? null : await readCampaign(trx, id);
        if (before !== null) checkVersion(input.version, before.version, "this campaign");
        if ((await repository.lockAdvertiser(trx, input.advertiserId)) === null) {
          const message = "Advertiser not found.";
          throw new AppError("invalid", message, { issues: [{ path: "advertiserId", message }] });
        }
        const savedId = before?.id ?? newId();
        // Days up to today keep their old price.
        if (before !== null) await bookFlatPrices(trx, clock.date(), savedId);
        if (before === null) await repository.insertCampaign(trx, savedId, input);
        else await repository.updateCampaign(trx, savedId, input);
        const after = await readCampaign(trx, savedId);
        await recordAudit(trx, actor, {
          action: before === null ? "campaign.created" : "campaign.updated",
          entity: "campaign",
          entityId: savedId,
          after,
          ...(before === null ? {} : { before }),
        });
        return after;
      });
      await changed(["ads"]);
      return saved;
    },

    async removeCampaign(id, actor) {
      await db.transaction().execute(async (trx) => {
        if (isUuid(id)) await repository.lockCampaign(trx, id);
        const before = await readCampaign(trx, id);
        if (!(await repository.deleteCampaign(trx, id))) {
          throw new AppError("conflict", "This campaign still has ads. Remove them first.");
        }
        const entry = { entity: "campaign", entityId: id, before };
        await recordAudit(trx, actor, { action: "campaign.deleted", ...entry });
      });
      await changed(["ads"]);
    },
  };
}

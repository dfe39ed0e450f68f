import type { Db } from "#server/db/connection.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { Clock } from "#server/lib/clock.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { AdRow } from "../records/ads.repository.ts";
import { stoppedKey } from "../../contract/stopped-ads.ts";
import { endOfDayMs, toWallMs } from "../../contract/site-zone.ts";
import { rulesOf } from "../rules/campaign-pricing.ts";
import { originsOfAd } from "../../contract/html-sources.ts";
import { listCampaignCounts } from "../serves/reservations.repository.ts";
import {
  hasLimits,
  noCounts,
  type CampaignCounts,
  type CampaignRules,
} from "../rules/campaign-rules.ts";
import type { DeliveryRules, Impressions } from "../rules/delivery-rules.ts";
import { listDeliverable, listImpressionCounts, listRunning } from "./ad-delivery.repository.ts";

/** Ad with its delivery rules. */
export interface DeliverableAd extends DeliveryRules {
  id: string;
  row: AdRow;
  weight: number;
  /** Null for an ad without a campaign. */
  campaign: CampaignRules | null;
}

interface Snapshot {
  /** Time zone of days and hours. */
  timeZone: string;
  ads: readonly DeliverableAd[];
  byId: ReadonlyMap<string, DeliverableAd>;
  /** Separation words of ads, by `stoppedKey`. */
  words: ReadonlyMap<string, string>;
  /** Origins of trusted ads' scripts and frames; null without such ads. */
  trustedOrigins: readonly string[] | null;
}

/** Maximum age. Limits the delay if the notification of a change is lost. */
const maxAgeMs = 30_000;
const countsAgeMs = 1000;
const hourMs = 3_600_000;
const none: Impressions = { today: 0, total: 0 };

/** Returns whether an ad's HTML, with its scripts, becomes part of the page. */
export const runsInPage = (row: Pick<AdRow, "trust" | "content">): boolean =>
  row.trust === "page" && row.content !== null;

function deliverable(row: AdRow, campaign: CampaignRules | null, zone: string): DeliverableAd {
  return {
    id: row.id,
    row,
    weight: row.weight,
    campaign,
    startsAtMs: Math.max(row.starts_at?.getTime() ?? -Infinity, campaign?.startsAtMs ?? -Infinity),
    endsAtMs: Math.min(row.ends_at?.getTime() ?? Infinity, campaign?.endsAtMs ?? Infinity),
    zone,
    isHouse: row.is_house,
    visitorDailyCap: row.visitor_daily_cap,
    dailyLimit: row.daily_limit,
    totalLimit: row.total_limit,
    hasEvenPacing: row.has_even_pacing,
    targetCategories: row.target_categories,
    targetDevices: row.target_devices,
    targetLanguages: row.target_languages,
  };
}

async function loadAds(db: Db, now: Date, timeZone: string): Promise<DeliverableAd[]> {
  const running = (await listRunning(db, now)).map((row) => rulesOf(row, timeZone));
  const campaigns = new Map(running.map((campaign) => [campaign.id, campaign]));
  const rows = await listDeliverable(db, now);
  return rows.flatMap((row) => {
    if (row.campaign_id === null) return [deliverable(row, null, timeZone)];
    const campaign = campaigns.get(row.campaign_id);
    return campaign === undefined ? [] : [deliverable(row, campaign, timeZone)];
  });
}

function snapshotOf(ads: readonly DeliverableAd[], timeZone: string): Snapshot {
  const trusted = ads.filter(({ row }) => runsInPage(row));
  const origins = trusted.flatMap((ad) => originsOfAd(ad.row));
  return {
    timeZone,
    ads,
    byId: new Map(ads.map((ad) => [ad.id, ad])),
    words: new Map(
      ads.flatMap(({ id, campaign }) =>
        campaign?.separation == null ? [] : [[stoppedKey(id), campaign.separation] as const],
      ),
    ),
    trustedOrigins: trusted.length === 0 ? null : [...new Set(origins)],
  };
}

/**
 * Directory of ads that may be shown, held in memory. Reloaded after a change by any process; the
 * first request after a change waits for it.
 */
export function createAdDirectory(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  settings: SettingsService;
}) {
  const { db, clock, logger, settings } = deps;
  let snapshot: Snapshot | null = null;
  let loadedAt = 0;
  let epoch = 0;
  let loading: Promise<Snapshot> | null = null;

  const impressions = new Map<string, Impressions>();
  let campaignCounts = new Map<string, CampaignCounts>();
  let hourUntilMs = 0;
  let dayUntilMs = 0;
  let countedAt = 0;
  let isCounting = false;

  async function loadCounts(ads: readonly DeliverableAd[], zone: string): Promise<void> {
    const limited = ads.filter((ad) => ad.dailyLimit !== null || ad.totalLimit !== null);
    const campaigns = new Set(ads.flatMap(({ campaign }) => campaign ?? []).filter(hasLimits));
    countedAt = clock.now();
    const now = clock.date();
    if (campaigns.size > 0) {
      const ids = [...campaigns].map(({ id }) => id);
      campaignCounts = await listCampaignCounts(db, ids, now);
    }
    // The counts of the hour and the day are valid until these times.
    const wallMs = toWallMs(zone, now.getTime());
    hourUntilMs = now.getTime() + hourMs - (wallMs % hourMs);
    dayUntilMs = endOfDayMs(zone, now.getTime());
    if (limited.length === 0) return;
    const counts = await listImpressionCounts(
      db,
      limited.map((ad) => ad.id),
      now,
    );
    impressions.clear();
    for (const { id, today, total } of counts) impressions.set(id, { today, total });
  }

  async function load(): Promise<Snapshot> {
    for (;;) {
      const before = epoch;
      const now = clock.date();
      const { timeZone } = await settings.current();
      const ads = await loadAds(db, now, timeZone);
      await loadCounts(ads, timeZone);
      if (before !== epoch) continue;
      snapshot = snapshotOf(ads, timeZone);
      loadedAt = clock.now();
      return snapshot;
    }
  }

  function refresh(): Promise<Snapshot> {
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  }

  function inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      warnLimited(logger, "ads", { err: error }, "couldn't refresh ads"),
    );
  }

  function refreshCounts(): void {
    if (isCounting || clock.now() - countedAt <= countsAgeMs || snapshot === null) return;
    isCounting = true;
    inBackground(
      loadCounts(snapshot.ads, snapshot.timeZone).finally(() => {
        isCounting = false;
      }),
    );
  }

  return {
    async current(): Promise<Snapshot> {
      noteShown("ads");
      if (snapshot === null) return refresh();
      if (clock.now() - loadedAt > maxAgeMs && loading === null) inBackground(refresh());
      return snapshot;
    },
    invalidate(): void {
      epoch += 1;
      snapshot = null;
    },
    /** Returns a limited ad's verified impressions. The number is at most a second old. */
    impressions(id: string): Impressions {
      refreshCounts();
      const counts = impressions.get(id) ?? none;
      return clock.now() < dayUntilMs ? counts : { ...counts, today: 0 };
    },
    /** Returns the counts of a campaign with limits. They are at most a second old. */
    campaignCounts(id: string): CampaignCounts {
      refreshCounts();
      const { hour, day, ...totals } = campaignCounts.get(id) ?? noCounts;
      const nowMs = clock.now();
      return { ...totals, hour: nowMs < hourUntilMs ? hour : 0, day: nowMs < dayUntilMs ? day : 0 };
    },
  };
}

export type AdDirectory = ReturnType<typeof createAdDirectory>;

/** Matches addresses that a browser requests to display HTML, but not those of links. */
const loaded =
  /(?:\b(?:src|srcset|poster|data)\s*=\s*["']?\s*|\burl\(\s*["']?)((?:https?:)?\/\/[^\s"'>)]+)/gi;

/**
 * Returns the hosts that an ad uses: those of its picture, its VAST tag, the resources in its HTML,
 * and its allowed origins.
 */
export function hostsOfAd(
  ad: Pick<AdRow, "image_url" | "vast_tag_url" | "content" | "origins">,
): string[] {
  const inHtml = [...(ad.content ?? "").matchAll(loaded)].map((match) => match[1] ?? "");
  const hosts = [ad.image_url, ad.vast_tag_url, ...ad.origins, ...inHtml].map(hostOf);
  return [...new Set(hosts.filter((host) => host !== null))];
}

/** Returns the host of an absolute address; null for a path of this site or an invalid address. */
const hostOf = (address: string | null): string | null =>
  address !== null && /^(?:https?:)?\/\//i.test(address)
    ? (URL.parse(address, "https://unknown.invalid")?.host ?? null)
    : null;

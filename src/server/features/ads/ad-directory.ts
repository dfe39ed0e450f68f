import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { presentPublicAd } from "./ads.presenter.ts";
import { listDeliverable, listShownCounts, type AdRow } from "./ads.repository.ts";
import { hasRules, type DeliveryRules, type Shown } from "./delivery-rules.ts";
import { scriptOrigins } from "./html-scripts.ts";

/** An ad ready to be delivered: its rules, and its JSON up to the number of its weight. */
export interface DeliverableAd extends DeliveryRules {
  id: string;
  row: AdRow;
  weight: number;
  json: string;
  hasRules: boolean;
}

export interface Snapshot {
  ads: readonly DeliverableAd[];
  byId: ReadonlyMap<string, DeliverableAd>;
  /** Origins of scripts that trusted ads load. */
  scriptOrigins: readonly string[];
}

/**
 * The ads that may be shown, in memory. Read again when something was written, by this process or
 * another; whoever asks right after a change waits for it.
 */
export interface AdDirectory {
  /** Synchronous while nothing changed. */
  current(): Snapshot | Promise<Snapshot>;
  invalidate(): void;
  /** How often a limited ad was shown, at most a second old. */
  shown(id: string): Shown;
  addShown(ids: readonly string[]): void;
}

/** Changes that no message told of are seen after this long. */
const maxAgeMs = 30_000;
const countsAgeMs = 1000;
const none: Shown = { today: 0, total: 0 };

/** The day of UTC, `2026-05-04`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function deliverable(row: AdRow): DeliverableAd {
  const { weight, ...rest } = presentPublicAd(row);
  const rules: DeliveryRules = {
    startsAtMs: row.starts_at?.getTime() ?? -Infinity,
    endsAtMs: row.ends_at?.getTime() ?? Infinity,
    isHouse: row.is_house,
    visitorDailyCap: row.visitor_daily_cap,
    dailyLimit: row.daily_limit,
    totalLimit: row.total_limit,
    hasEvenPacing: row.has_even_pacing,
    targetCategories: row.target_categories,
    targetDevices: row.target_devices,
    targetLanguages: row.target_languages,
  };
  const json = `${JSON.stringify(rest).slice(0, -1)},"weight":`;
  return { ...rules, id: row.id, row, weight, json, hasRules: hasRules(rules) };
}

export function createAdDirectory(deps: { db: Db; clock: Clock; logger: Logger }): AdDirectory {
  const { db, clock, logger } = deps;
  let snapshot: Snapshot | null = null;
  let loadedAt = 0;
  let epoch = 0;
  let loading: Promise<Snapshot> | null = null;

  const shown = new Map<string, Shown>();
  let shownDay = "";
  let countedAt = 0;
  let counting = false;

  async function loadCounts(ads: readonly DeliverableAd[]): Promise<void> {
    const limited = ads.filter((ad) => ad.dailyLimit !== null || ad.totalLimit !== null);
    countedAt = clock.now();
    const day = dayOf(clock.date());
    if (limited.length === 0) return;
    const counts = await listShownCounts(
      db,
      limited.map((ad) => ad.id),
      day,
    );
    shown.clear();
    shownDay = day;
    for (const { id, today, total } of counts) shown.set(id, { today, total });
  }

  async function load(): Promise<Snapshot> {
    for (;;) {
      const before = epoch;
      const rows = await listDeliverable(db, clock.date());
      const ads = rows.map(deliverable);
      await loadCounts(ads);
      if (before !== epoch) continue;
      const trusted = ads.filter((ad) => ad.row.trust === "page" && ad.row.content !== null);
      const origins = trusted.flatMap((ad) => scriptOrigins(ad.row.content ?? ""));
      snapshot = {
        ads,
        byId: new Map(ads.map((ad) => [ad.id, ad])),
        scriptOrigins: [...new Set(origins)],
      };
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
    work.catch((error: unknown) => logger.warn({ err: error }, "ads were not read again"));
  }

  return {
    current() {
      if (snapshot === null) return refresh();
      if (clock.now() - loadedAt > maxAgeMs && loading === null) inBackground(refresh());
      return snapshot;
    },
    invalidate() {
      epoch += 1;
      snapshot = null;
    },
    shown(id) {
      const now = clock.now();
      if (!counting && now - countedAt > countsAgeMs && snapshot !== null) {
        counting = true;
        inBackground(
          loadCounts(snapshot.ads).finally(() => {
            counting = false;
          }),
        );
      }
      const counts = shown.get(id) ?? none;
      // Midnight: yesterday's numbers say nothing of today.
      return shownDay === dayOf(clock.date()) ? counts : { ...counts, today: 0 };
    },
    addShown(ids) {
      for (const id of ids) {
        const counts = shown.get(id);
        if (counts !== undefined) {
          shown.set(id, { today: counts.today + 1, total: counts.total + 1 });
        }
      }
    },
  };
}

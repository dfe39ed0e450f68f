import {
  adPlacements,
  type AdDevice,
  type AdPlace,
  type AdPlacement,
  type AdType,
  type PublicAdList,
} from "../../../contract/ads.ts";
import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import { deviceOf, languagesOf } from "./agent.ts";
import { dayOf, type AdDirectory, type DeliverableAd, type Snapshot } from "./ad-directory.ts";
import { presentPublicAd } from "./ads.presenter.ts";
import { findAd, listVisitorCounts } from "./ads.repository.ts";
import { isInsideDates, isWithinLimits, suitsAudience } from "./delivery-rules.ts";
import { drawWeighted } from "./draw.ts";
import type { ServeTokens } from "./serve-token.ts";

export interface AdRequest {
  placement: AdPlacement | null;
  types: readonly AdType[] | null;
  limit: number;
  categories: readonly string[];
  device: AdDevice | null;
  userAgent: string | undefined;
  mobileHint: string | undefined;
  acceptLanguage: string | undefined;
  visitorId: string | null;
}

/** Chooses what a visitor is shown. */
export interface AdDelivery {
  answer(request: AdRequest): Promise<PublicAdList>;
  /** The same as finished JSON, or null where the database has to be asked. */
  answerAtOnce(request: AdRequest): string | null;
  /** Where there are ads now, whoever asks. */
  places(): Promise<AdPlace[]>;
  /** A live ad by id, or null. */
  findLive(id: string): Promise<DeliverableAd | null>;
  /** Where an ad leads, live or not: what was shown a moment ago can still be clicked. */
  findLink(id: string): Promise<string | null>;
}

/** The ads of one place and type that are inside their dates, until the next start or end. */
interface Pool {
  snapshot: Snapshot;
  untilMs: number;
  ads: DeliverableAd[];
  hasRules: boolean;
  isUniform: boolean;
}

/** Slugs as they come in an address, separated by commas. */
export const slugsOf = (text: string | undefined): string[] =>
  text === undefined
    ? []
    : text
        .toLowerCase()
        .split(",")
        .map((slug) => slug.trim());

const maxPools = 200;
const isUniform = (ads: readonly DeliverableAd[]) =>
  ads.every((ad) => ad.weight === ads[0]?.weight);

export function createAdDelivery(deps: {
  db: Db;
  clock: Clock;
  directory: AdDirectory;
  serves: ServeTokens;
  random?: () => number;
}): AdDelivery {
  const { db, clock, directory, serves, random = Math.random } = deps;
  const pools = new Map<string, Pool>();

  function poolFor(
    snapshot: Snapshot,
    request: Pick<AdRequest, "placement" | "types">,
    nowMs: number,
  ): Pool {
    const key = `${request.placement ?? ""} ${request.types?.join() ?? ""}`;
    const kept = pools.get(key);
    if (kept !== undefined && kept.snapshot === snapshot && nowMs < kept.untilMs) return kept;

    const matching = snapshot.ads.filter(
      ({ row }) =>
        (request.placement === null || row.placement === request.placement) &&
        (request.types === null || request.types.includes(row.type)),
    );
    const changes = matching.flatMap((ad) => [ad.startsAtMs, ad.endsAtMs]);
    const ads = matching.filter((ad) => isInsideDates(ad, nowMs));
    const pool: Pool = {
      snapshot,
      untilMs: changes.reduce((next, at) => (at > nowMs && at < next ? at : next), Infinity),
      ads,
      hasRules: ads.some((ad) => ad.hasRules),
      isUniform: isUniform(ads),
    };
    if (pools.size >= maxPools) pools.clear();
    pools.set(key, pool);
    return pool;
  }

  function present(ads: DeliverableAd[], limit: number): PublicAdList {
    const drawn = drawWeighted(ads, limit, isUniform(ads), random);
    return {
      ads: drawn.map(({ item, weight }) => presentPublicAd(item.row, weight)),
      serve: serves.make(),
    };
  }

  function write(ads: DeliverableAd[], limit: number, uniform: boolean): string {
    let json = '{"ads":[';
    let separator = "";
    for (const { item, weight } of drawWeighted(ads, limit, uniform, random)) {
      json += `${separator}${item.json}${weight}}`;
      separator = ",";
    }
    return `${json}],"serve":"${serves.make()}"}`;
  }

  /** What suits who asks and has not reached its limits; caps per visitor are still to be asked. */
  function listSuited(request: AdRequest, pool: Pool, nowMs: number): DeliverableAd[] {
    const audience = {
      device: request.device ?? deviceOf(request.userAgent, request.mobileHint),
      languages: languagesOf(request.acceptLanguage),
      categories: request.categories,
    };
    return pool.ads.filter(
      (ad) =>
        !ad.hasRules ||
        (suitsAudience(ad, audience) &&
          ((ad.dailyLimit === null && ad.totalLimit === null) ||
            isWithinLimits(ad, directory.shown(ad.id), nowMs))),
    );
  }

  /** House ads stand in only where nothing else is left. */
  function withoutHouse(ads: DeliverableAd[]): DeliverableAd[] {
    const paying = ads.filter((ad) => !ad.isHouse);
    return paying.length > 0 ? paying : ads;
  }

  async function listByRules(
    request: AdRequest,
    pool: Pool,
    nowMs: number,
  ): Promise<DeliverableAd[]> {
    const suited = listSuited(request, pool, nowMs);
    const isAnyCapped = suited.some((ad) => ad.visitorDailyCap !== null);
    const seen =
      isAnyCapped && request.visitorId !== null
        ? await listVisitorCounts(db, request.visitorId, dayOf(new Date(nowMs)))
        : new Map<string, number>();
    const allowed = suited.filter(
      (ad) => ad.visitorDailyCap === null || (seen.get(ad.id) ?? 0) < ad.visitorDailyCap,
    );
    return withoutHouse(allowed);
  }

  return {
    async answer(request) {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      const pool = poolFor(snapshot, request, nowMs);
      const ads = pool.hasRules ? await listByRules(request, pool, nowMs) : pool.ads;
      return present(ads, request.limit);
    },
    answerAtOnce(request) {
      const snapshot = directory.current();
      if (snapshot instanceof Promise) return null;
      const nowMs = clock.now();
      const pool = poolFor(snapshot, request, nowMs);
      if (!pool.hasRules) return write(pool.ads, request.limit, pool.isUniform);
      const suited = listSuited(request, pool, nowMs);
      // What a known visitor has seen stands in the database.
      const isKnown = request.visitorId !== null;
      if (isKnown && suited.some((ad) => ad.visitorDailyCap !== null)) return null;
      const ads = withoutHouse(suited);
      return write(ads, request.limit, isUniform(ads));
    },
    async places() {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      return adPlacements.flatMap((placement) => {
        const { ads } = poolFor(snapshot, { placement, types: null }, nowMs);
        if (ads.length === 0) return [];
        const inline = ads.filter(({ row }) => row.type !== "popup");
        const largest = inline.reduce<{ widthPx: number; heightPx: number } | null>(
          (best, { row: { width_px: widthPx, height_px: heightPx } }) =>
            widthPx !== null && heightPx !== null && heightPx > (best?.heightPx ?? 0)
              ? { widthPx, heightPx }
              : best,
          null,
        );
        const { widthPx, heightPx } = largest ?? { widthPx: null, heightPx: null };
        return { placement, isInline: inline.length > 0, widthPx, heightPx };
      });
    },
    async findLive(id) {
      const { byId } = await directory.current();
      const ad = byId.get(id.toLowerCase());
      return ad !== undefined && isInsideDates(ad, clock.now()) ? ad : null;
    },
    async findLink(id) {
      const known = (await directory.current()).byId.get(id.toLowerCase());
      return (known?.row ?? (await findAd(db, id)))?.link_url ?? null;
    },
  };
}

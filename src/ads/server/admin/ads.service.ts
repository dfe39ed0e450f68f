import { originLimits } from "../../contract/ad-origins.ts";
import { adIssues } from "../../contract/ad-rules.ts";
import type { Ad, AdList, AdListQuery, AdTrust } from "../../contract/ads.ts";
import type { AdInput, AdPatch } from "../../contract/ads.input.ts";
import { unusableScripts, originsOfAd } from "../../contract/html-sources.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import type { Media } from "#server/media/media.ts";
import { createAdPictureKey, mediaUrl } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { refuseSharedOrigins } from "#server/lib/public-suffix.ts";
import { presentAd } from "../records/ads.presenter.ts";
import * as repository from "../records/ads.repository.ts";

interface CreateOptions {
  id?: string;
  /** True if the user may not approve ads, so this one needs approval. */
  isProposal?: boolean;
}

const defaultListLimit = 1000;

/** Manages ads in the back office. */
export function createAdsService(deps: {
  db: Db;
  changed: PublishChanges;
  storage: Storage;
  media: Media;
}) {
  const { db, changed, storage, media } = deps;

  async function find(id: string): Promise<Ad | null> {
    const row = isUuid(id) ? await repository.findAd(db, id) : null;
    return row === null ? null : presentAd(row);
  }

  async function lock(trx: Trx, id: string): Promise<repository.AdRow> {
    const row = isUuid(id) ? await repository.lockAd(trx, id) : null;
    if (row === null) throw new AppError("not_found", "Ad not found");
    return row;
  }

  return {
    async list(query: AdListQuery): Promise<AdList> {
      const { rows, total } = await repository.listAds(db, query, {
        limit: query.limit ?? defaultListLimit,
        offset: query.offset ?? 0,
      });
      return { ads: rows.map(presentAd), total };
    },

    find,

    /** @throws AppError not_found. */
    async get(id: string): Promise<Ad> {
      const ad = await find(id);
      if (ad === null) throw new AppError("not_found", "Ad not found");
      return ad;
    },

    /**
     * `actor` is null if the program itself creates the ad (the demonstration).
     * @throws AppError invalid.
     */
    async create(
      input: AdInput,
      actor: Actor | null,
      { id = newId(), isProposal = false }: CreateOptions = {},
    ): Promise<Ad> {
      if (isProposal) refuseTrust("isolated", input.trust);
      const created = await db.transaction().execute(async (trx) => {
        await requireCampaign(trx, input.campaignId);
        const proposed = { ...input, isApproved: !isProposal };
        const ad = presentAd(await repository.insertAd(trx, id, proposed));
        requireUsableScripts(ad);
        refuseSharedOrigins(ad.origins, "origins");
        await requireFewOrigins(trx, ad);
        if (actor !== null) {
          const entry = { entity: "ad", entityId: ad.id };
          await recordAudit(trx, actor, { ...entry, action: "ad.created", after: ad });
          if (ad.trust === "page") {
            await recordAudit(trx, actor, { ...entry, action: "ad.trusted", after: trustOf(ad) });
          }
        }
        return ad;
      });
      await changed(["ads"]);
      return created;
    },

    /**
     * Changes the given fields. A proposal needs approval unless it only ends the ad.
     * @throws AppError not_found, invalid, forbidden, edit_conflict.
     */
    async update(
      id: string,
      patch: AdPatch,
      actor: Actor,
      isProposal: boolean = false,
    ): Promise<Ad> {
      const saved = await db.transaction().execute(async (trx) => {
        const row = await lock(trx, id);
        const before = presentAd(row);
        checkVersion(patch.version, before.version, "this ad");
        const next = { ...patch };
        if (isProposal) {
          refuseTrust(before.trust, patch.trust);
          next.isApproved = before.isApproved && endsOnly(patch);
        }
        const type = patch.type ?? before.type;
        // An ad that stops being a video loses its video address, unless the patch sets one.
        if (type !== "video" && next.vastTagUrl === undefined) next.vastTagUrl = null;
        const issues = adIssues({ ...before, ...withoutUndefined(next) });
        if (issues[0] !== undefined) throw new AppError("invalid", issues[0].message, { issues });

        if (patch.campaignId !== undefined && patch.campaignId !== before.campaignId) {
          await requireCampaign(trx, patch.campaignId);
          await requireNoFigures(trx, row.id, "It has stats that belong to its campaign.");
        }
        const after = presentAd(await repository.updateAd(trx, row.id, next));
        requireUsableScripts(after);
        refuseSharedOrigins(after.origins, "origins");
        await requireFewOrigins(trx, after);
        await recordChange(trx, actor, before, after);
        return after;
      });
      await changed(["ads"]);
      return saved;
    },

    /**
     * Deletes the ad with its statistics.
     * @throws AppError not_found; conflict for an ad whose statistics belong to a campaign.
     */
    async remove(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await lock(trx, id);
        if (row.campaign_id !== null) {
          const reason = "This ad has stats that belong to its campaign. Deactivate it instead.";
          await requireNoFigures(trx, row.id, reason);
        }
        await repository.deleteAd(trx, row.id);
        await recordAudit(trx, actor, {
          action: "ad.deleted",
          entity: "ad",
          entityId: row.id,
          before: presentAd(row),
        });
      });
      await changed(["ads"]);
    },

    /**
     * Stores an uploaded picture, without Exif data and XMP. It is deleted a day later unless
     * an ad shows it.
     * @throws AppError unsupported_media, invalid.
     */
    async addPicture(path: string): Promise<{ url: string }> {
      await using scratch = await storage.createScratch();
      const picture = await media.cleanPicture(path, scratch.path);
      const key = createAdPictureKey(picture.extension);
      await storage.putFile(key, picture.path, { consume: true });
      return { url: mediaUrl(key) };
    },
  };
}

export type AdsService = ReturnType<typeof createAdsService>;

async function recordChange(trx: Trx, actor: Actor, before: Ad, after: Ad): Promise<void> {
  const entry = { entity: "ad", entityId: after.id };
  await recordAudit(trx, actor, { ...entry, action: "ad.updated", before, after });
  if (!before.isApproved && after.isApproved) {
    await recordAudit(trx, actor, { ...entry, action: "ad.approved", after });
  }
  if (before.trust !== after.trust) {
    await recordAudit(trx, actor, {
      ...entry,
      action: after.trust === "page" ? "ad.trusted" : "ad.isolated",
      before: trustOf(before),
      after: trustOf(after),
    });
  }
}

/** @throws AppError invalid for an unknown campaign. */
async function requireCampaign(trx: Trx, id: string | null | undefined): Promise<void> {
  if (id == null || (await repository.holdCampaign(trx, id))) return;
  const message = "Campaign not found.";
  throw new AppError("invalid", message, { issues: [{ path: "campaignId", message }] });
}

/**
 * Throws if an ad has events, because they are part of its campaign's statistics.
 * @throws AppError conflict.
 */
async function requireNoFigures(trx: Trx, id: string, reason: string): Promise<void> {
  if (await repository.hasFigures(trx, id)) throw new AppError("conflict", reason);
}

/** Returns whether the patch only deactivates the ad. */
function endsOnly(patch: AdPatch): boolean {
  const { isActive, version: _version, ...rest } = withoutUndefined(patch);
  return isActive === false && Object.keys(rest).length === 0;
}

/** Stops users who may not approve ads from making an ad trusted. @throws AppError forbidden. */
function refuseTrust(before: AdTrust, next: AdTrust | undefined): void {
  if (before === "page" || next !== "page") return;
  throw new AppError("forbidden", "Only administrators can let an ad run scripts in pages.");
}

/**
 * Rejects a trusted ad with a script whose host the pages' policy can't list.
 * @throws AppError invalid.
 */
function requireUsableScripts(ad: Ad): void {
  const [src] = ad.trust === "page" ? unusableScripts(ad.content ?? "") : [];
  if (src === undefined) return;
  const message = `Script URLs need a plain host name: ${src.slice(0, 200)}`;
  throw new AppError("invalid", message, { issues: [{ path: "content", message }] });
}

/**
 * Limits the origins of trusted ads, because every page's policy contains them.
 * @throws AppError invalid.
 */
async function requireFewOrigins(trx: Trx, ad: Ad): Promise<void> {
  if (ad.trust !== "page" || !ad.isActive) return;
  const trusted = await repository.listTrusted(trx);
  if (new Set(trusted.flatMap(originsOfAd)).size <= originLimits.pages) return;
  const message = `Trusted ads can use at most ${originLimits.pages} origins in total. Isolate one of them, or use a wildcard such as https://*.example.com`;
  throw new AppError("invalid", message, { issues: [{ path: "origins", message }] });
}

const trustOf = (ad: Ad) => ({ title: ad.title, trust: ad.trust });

function withoutUndefined(patch: AdPatch): AdPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

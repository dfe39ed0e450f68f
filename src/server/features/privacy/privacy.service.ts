import type { PrivacyFacts } from "#contract/visitors/privacy.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import { countCall } from "#server/db/write-counts.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { deleteVisitor } from "./privacy.repository.ts";

/** Returns the distinct hosts of absolute addresses. Paths of this site have none. */
function hostsOf(addresses: readonly (string | null)[]): string[] {
  const hosts = addresses.flatMap((address) => {
    const host = address === null ? undefined : URL.parse(address)?.host;
    return host === undefined || host === "" ? [] : [host];
  });
  return [...new Set(hosts)].toSorted();
}

/** Limited, because each call searches the trash. */
const callsPerMinute = 10;

export function createPrivacyService(deps: {
  db: Db;
  clock: Clock;
  config: Config;
  mailer: { isConfigured: boolean };
  settings: SettingsService;
  ads: AdsFeature;
}) {
  const { db, clock, config, mailer, settings, ads } = deps;

  /** Hosts other than this site that send videos. */
  const mediaAddresses = [
    config.mediaBaseUrl,
    config.mediaDelivery === "redirect" ? (config.s3?.publicEndpoint ?? null) : null,
  ];

  return {
    /** Returns the facts on the privacy page that depend on the site. */
    async describe(): Promise<PrivacyFacts> {
      const [site, html, ofAds] = await Promise.all([
        settings.readFresh(),
        settings.findPage("privacy"),
        ads.describe(),
      ]);
      const siteHosts = hostsOf([...mediaAddresses, site.logoUrl, site.faviconUrl]);
      const allowed = ofAds.hasAds ? hostsOf(site.adOrigins) : [];
      return {
        html,
        playMonths: config.historyMonths,
        trashDays: site.trashDays,
        asksAge: site.ageGate,
        sendsMail: mailer.isConfigured,
        hasComments: site.comments !== "off",
        hasMembers: site.premiumAccess === "members",
        ...ofAds,
        adHosts: [...new Set([...ofAds.adHosts, ...allowed])].toSorted(),
        siteHosts,
      };
    },

    /**
     * Deletes the data stored under a visitor's cookie. @returns the number of entries.
     * @throws AppError rate_limited.
     */
    async forget(visitorId: string, addressKey: string): Promise<number> {
      await countCall(db, `forget:${addressKey}`, { max: callsPerMinute, nowMs: clock.now() });
      return db.transaction().execute((trx) => deleteVisitor(trx, visitorId));
    },
  };
}

export type PrivacyService = ReturnType<typeof createPrivacyService>;

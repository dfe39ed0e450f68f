import { useRouteLoaderData } from "react-router";
import { defaultFilterCategories, limits } from "#contract/limits.ts";
import type { AdSlotInfo } from "#ads/contract/ads.ts";
import type { PublicSettings } from "#contract/site/settings.ts";

/** Public settings with defaults for unset ones. */
export interface Site {
  name: string;
  /** Canonical origin without a trailing slash. */
  url: string;
  settings: PublicSettings;
  /** Slots that have ads, or null if unknown. */
  adSlots: AdSlotInfo[] | null;
  /** False if the settings couldn't be read and these are defaults. */
  isComplete: boolean;
}

export const rootRouteId = "root";

/** Used if the settings couldn't be read. */
const blankSettings: PublicSettings = {
  siteName: null,
  siteDescription: null,
  siteUrl: null,
  logoUrl: null,
  faviconUrl: null,
  accentColor: null,
  sourceUrl: null,
  filterCategories: [...defaultFilterCategories],
  browseListings: true,
  takedownLog: false,
  ageGate: false,
  comments: "off",
  language: "en",
  evenLoudness: true,
  embedding: "any",
  pinnedLabels: [],
  pages: [],
};

export function siteOf(
  read: PublicSettings | null,
  fallbackUrl: string,
  adSlots: AdSlotInfo[] | null = null,
): Site {
  const settings = read ?? blankSettings;
  return {
    name: settings.siteName ?? limits.defaultSiteName,
    url: (settings.siteUrl ?? fallbackUrl).replace(/\/+$/, ""),
    settings,
    adSlots,
    isComplete: read !== null,
  };
}

/** Returns whether some ads need the visitor's consent. */
export const asksConsent = ({ adSlots }: Site): boolean =>
  adSlots?.some(({ needsConsent }) => needsConsent !== undefined) === true;

export function useSite(): Site {
  const site = useRouteLoaderData<Site>(rootRouteId);
  return site ?? siteOf(null, "");
}

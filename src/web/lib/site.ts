import { useRouteLoaderData } from "react-router";
import { defaultFilterCategories, limits } from "../../contract/limits.ts";
import type { AdSlotInfo } from "../../contract/ads.ts";
import type { PublicSettings } from "../../contract/settings.ts";

/** The site as pages know it: public settings with the blanks filled in. */
export interface Site {
  name: string;
  /** Canonical origin without a slash at the end. */
  url: string;
  settings: PublicSettings;
  /** Where there are ads, or null where that is not known. */
  adSlots: AdSlotInfo[] | null;
  /** False where the settings could not be read and blanks stand for them. */
  isComplete: boolean;
}

export const rootRouteId = "root";

/** Where the settings could not be read, pages still have a name and the switches' defaults. */
const blankSettings: PublicSettings = {
  siteName: null,
  siteDescription: null,
  siteUrl: null,
  logoUrl: null,
  faviconUrl: null,
  sourceUrl: null,
  filterCategories: [...defaultFilterCategories],
  browseListings: true,
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

export function useSite(): Site {
  const site = useRouteLoaderData<Site>(rootRouteId);
  return site ?? siteOf(null, "");
}

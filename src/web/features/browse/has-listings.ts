import type { PageApi } from "#contract/site/page-api.ts";

/** Returns whether browse pages show lists. Defaults to true. */
export async function hasListings(api: PageApi): Promise<boolean> {
  try {
    return (await api.publicSettings()).browseListings;
  } catch (error) {
    console.warn("Public settings failed", error);
    return true;
  }
}

import type { PageApi } from "../../../contract/page-api.ts";

/** Whether the operator wants lists on the browse pages; unknown means yes, the default. */
export async function hasListings(api: Pick<PageApi, "publicSettings">): Promise<boolean> {
  try {
    return (await api.publicSettings()).browseListings;
  } catch (error) {
    console.warn("Public settings failed", error);
    return true;
  }
}

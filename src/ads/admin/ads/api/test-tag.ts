import { fetchedDocuments, type FetchedDocument } from "#ads/contract/ads.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";

/** Fetches the tag and its chain through the server. */
export async function fetchTagByServer(url: string): Promise<readonly FetchedDocument[]> {
  const body = { url };
  return (await adminCall("/api/ads/vast-test", fetchedDocuments, { method: "POST", body }))
    .documents;
}

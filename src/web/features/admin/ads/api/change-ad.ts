import { ad, type Ad } from "../../../../../contract/ads.ts";
import type { AdInput, AdPatch } from "../../../../../contract/ads.input.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const path = (id: string) => `/api/ads/${encodeURIComponent(id)}`;

/** Creates an ad, or changes the one with this id. */
export function saveAd(id: string | null, body: AdInput): Promise<Ad> {
  return id === null
    ? adminCall("/api/ads", ad, { method: "POST", body })
    : adminCall(path(id), ad, { method: "PUT", body });
}

export function patchAd(id: string, body: Pick<AdPatch, "isActive" | "isApproved">): Promise<Ad> {
  return adminCall(path(id), ad, { method: "PUT", body });
}

export function deleteAd(id: string): Promise<void> {
  return adminSend(path(id), { method: "DELETE" });
}

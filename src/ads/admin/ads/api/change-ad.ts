import { ad, adPicture, type Ad } from "#ads/contract/ads.ts";
import type { AdInput, AdPatch } from "#ads/contract/ads.input.ts";
import { adminCall, adminSend } from "#web/features/admin/shared/admin-api.ts";

const path = (id: string) => `/api/ads/${encodeURIComponent(id)}`;

export const getAd = (id: string): Promise<Ad> => adminCall(path(id), ad);

export const createAd = (body: AdInput): Promise<Ad> =>
  adminCall("/api/ads", ad, { method: "POST", body });

/** @throws ApiError 409 `edit_conflict` if another user has saved since `seen` was loaded. */
export const changeAd = ({ id, version }: Ad, change: AdPatch): Promise<Ad> =>
  adminCall(path(id), ad, { method: "PUT", body: { ...change, version } });

/** @returns the URL of the stored image. */
export const sendAdPicture = async (file: File): Promise<string> =>
  (await adminCall("/api/ads/pictures", adPicture, { method: "POST", body: file })).url;

export const setAdActive = (id: string, isActive: boolean): Promise<Ad> =>
  adminCall(path(id), ad, { method: "PUT", body: { isActive } });

export function deleteAd(id: string): Promise<void> {
  return adminSend(path(id), { method: "DELETE" });
}

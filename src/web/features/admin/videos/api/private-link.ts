import { privateLink, type PrivateLink } from "#contract/videos/admin-videos.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const pathOf = (id: string) => `/api/admin/videos/${id}/link`;

export function getPrivateLink(id: string): Promise<PrivateLink> {
  return adminCall(pathOf(id), privateLink);
}

/**
 * Creates a new private link and invalidates the previous one.
 * @param expiresAt null for a link that never expires.
 */
export function renewPrivateLink(id: string, expiresAt: string | null): Promise<PrivateLink> {
  return adminCall(pathOf(id), privateLink, { method: "PUT", body: { expiresAt } });
}

export function endPrivateLink(id: string): Promise<void> {
  return adminSend(pathOf(id), { method: "DELETE" });
}

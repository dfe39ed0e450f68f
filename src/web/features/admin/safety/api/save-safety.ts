import type { SettingsInput } from "#contract/site/settings.ts";
import { adminSend } from "../../shared/admin-api.ts";

/** Saves the given settings and leaves others unchanged. */
export const saveSafety = (change: SettingsInput): Promise<void> =>
  adminSend("/api/settings", { method: "POST", body: change });

import type { SettingsInput } from "#contract/site/settings.ts";
import { adminSend } from "../../shared/admin-api.ts";

/** Saves what is given and leaves the other settings as they are. */
export const saveSafety = (change: SettingsInput): Promise<void> =>
  adminSend("/api/settings", { method: "POST", body: change });

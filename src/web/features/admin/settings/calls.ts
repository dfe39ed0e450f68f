import { queryOptions } from "@tanstack/react-query";
import { siteSettings, type SitePicture, type SiteSettings } from "#contract/site/settings.ts";
import { adminCall } from "../shared/admin-api.ts";
import { type SettingsForm, inputOf } from "./settings-form.ts";

export const settingsKey = ["admin", "settings"] as const;

export const readSettings = (): Promise<SiteSettings> => adminCall("/api/settings", siteSettings);

export const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: readSettings,
  staleTime: 0,
});

/**
 * Saves some settings and leaves all others unchanged.
 * @throws ApiError 409 `edit_conflict` if another user has saved since `version` was read.
 */
export function saveSettings(
  form: SettingsForm,
  names: readonly (keyof SettingsForm)[],
  version: number,
): Promise<SiteSettings> {
  const input = inputOf(form);
  const body = { ...Object.fromEntries(names.map((name) => [name, input[name]])), version };
  return adminCall("/api/settings", siteSettings, { method: "POST", body });
}

/** The request body is the file. */
export function sendSitePicture(picture: SitePicture, file: File): Promise<SiteSettings> {
  return adminCall(`/api/settings/${picture}`, siteSettings, { method: "PUT", body: file });
}

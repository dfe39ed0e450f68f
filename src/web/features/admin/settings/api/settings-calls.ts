import { queryOptions } from "@tanstack/react-query";
import {
  siteSettings,
  type SitePicture,
  type SiteSettings,
} from "../../../../../contract/settings.ts";
import { adminCall } from "../../shared/admin-api.ts";
import type { SettingsForm } from "../settings-form.ts";
import { inputOf } from "../settings-form.ts";

export const settingsKey = ["admin", "settings"] as const;

export const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: (): Promise<SiteSettings> => adminCall("/api/settings", siteSettings),
  staleTime: 0,
});

export function saveSettings(form: SettingsForm): Promise<SiteSettings> {
  return adminCall("/api/settings", siteSettings, { method: "POST", body: inputOf(form) });
}

/** The request body is the file. */
export function sendSitePicture(picture: SitePicture, file: File): Promise<SiteSettings> {
  return adminCall(`/api/settings/${picture}`, siteSettings, { method: "PUT", body: file });
}

import { z } from "zod";
import {
  publicSettings,
  settingsInput,
  sitePage,
  readablePageNames,
  siteSettings,
} from "../../../contract/settings.ts";
import { actorOf } from "../../http/access/actor.ts";
import type { App } from "../../http/app.ts";
import type { SettingsService } from "./settings.service.ts";

export function registerSettingsRoutes(app: App, deps: { settings: SettingsService }): void {
  const { settings } = deps;

  app.get(
    "/api/settings/public",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags: ["settings"],
        summary: "What visitors may know of the settings",
        response: { 200: publicSettings },
      },
    },
    () => settings.getPublic(),
  );

  app.get(
    "/api/pages/:name",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags: ["settings"],
        summary: "One of the site's own pages as safe HTML",
        params: z.object({ name: z.enum(readablePageNames) }),
        response: { 200: sitePage },
      },
    },
    async (request) => ({ html: await settings.getPage(request.params.name) }),
  );

  app.get(
    "/api/settings",
    {
      config: { policy: "settings.edit" },
      schema: { tags: ["settings"], summary: "All settings", response: { 200: siteSettings } },
    },
    () => settings.get(),
  );

  app.post(
    "/api/settings",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary: "Save settings; absent fields stay as they are",
        body: settingsInput,
        response: { 200: siteSettings },
      },
    },
    (request) => settings.save(request.body, actorOf(request)),
  );
}

import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { publicSettings, settingsInput, sitePage, siteSettings } from "#contract/site/settings.ts";
import { actorOf, requireAction, requireConfirmation } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import type { Storage } from "#server/storage/storage.ts";
import { getShownPage, type OwnPagesService } from "./own-pages.service.ts";
import type { SettingsService } from "./settings.service.ts";

export function registerSettingsRoutes(
  app: App,
  deps: { settings: SettingsService; ownPages: OwnPagesService; storage: Storage },
): void {
  const { settings, ownPages, storage } = deps;

  void app.register(async (scope) => {
    keepBodies(scope);
    for (const picture of ["logo", "favicon"] as const) {
      scope.withTypeProvider<ZodTypeProvider>().put(
        `/api/settings/${picture}`,
        {
          ...pictureRoute,
          config: { ...pictureRoute.config, policy: "settings.edit" },
          schema: {
            tags: ["settings"],
            summary: `Upload the ${picture}; the body is the picture (JPEG, PNG or WebP, at most 5 MB)`,
            consumes: ["image/jpeg", "image/png", "image/webp"],
            response: { 200: siteSettings },
          },
        },
        (request) =>
          withPicture(request, storage, (path) =>
            settings.setPicture(picture, path, actorOf(request)),
          ),
      );
    }
  });

  app.get(
    "/api/settings/public",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags: ["settings"],
        summary: "Get the public settings",
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
        summary: "Get one of the site's own pages as safe HTML",
        params: z.object({ name: z.string().max(100) }),
        response: { 200: sitePage },
      },
    },
    (request) => getShownPage({ settings, ownPages }, request.params.name),
  );

  app.get(
    "/api/settings",
    {
      config: { policy: "settings.edit" },
      schema: { tags: ["settings"], summary: "Get all settings", response: { 200: siteSettings } },
    },
    () => settings.readFresh(),
  );

  app.post(
    "/api/settings",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary:
          "Save settings; absent fields stay as they are. Only a confirmed owner changes siteUrl",
        body: settingsInput,
        response: { 200: siteSettings },
      },
    },
    (request) =>
      settings.save(request.body, actorOf(request), () => {
        requireAction(request, "settings.address");
        requireConfirmation(request, "site-address");
      }),
  );
}

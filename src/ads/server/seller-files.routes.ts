import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { AdSettings, SettingsService } from "#server/features/settings/settings.service.ts";

const files = {
  "/ads.txt": { field: "adsTxt", type: "text/plain; charset=utf-8" },
  "/app-ads.txt": { field: "appAdsTxt", type: "text/plain; charset=utf-8" },
  "/sellers.json": { field: "sellersJson", type: "application/json; charset=utf-8" },
} as const satisfies Record<string, { field: keyof AdSettings; type: string }>;

/** Serves the files that list the authorised sellers of this site's advertising space. */
export function registerSellerFiles(
  app: App,
  deps: { settings: Pick<SettingsService, "getAds"> },
): void {
  for (const [path, { field, type }] of Object.entries(files)) {
    app.get(
      path,
      { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
      async (_request, reply) => {
        const text = (await deps.settings.getAds())[field];
        if (text === null) throw new AppError("not_found", "There is nothing at this address.");
        return reply.type(type).send(text);
      },
    );
  }
}

import type { FastifyRequest } from "fastify";
import { trustedAdPageOf } from "#contract/site/page-zones.ts";
import { isFromBrowser } from "#server/http/access/fetch-metadata.ts";
import { hasSession } from "#server/http/access/policy.ts";
import { isSharedOrigin } from "#server/lib/public-suffix.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";

/**
 * Returns whether a request may get trusted ads and their scripts: never with a session, because
 * they could act as the user, and only for pages without forms and secrets. Programs that name no
 * page get them too, because they run no scripts.
 */
export function canGetTrustedAds(request: FastifyRequest, page: string | undefined): boolean {
  if (hasSession(request)) return false;
  return page === undefined ? !isFromBrowser(request.headers) : trustedAdPageOf(page) !== null;
}

/** Origins that ads may use for scripts and frames: their own and those in the settings. */
export function createAdPolicy(deps: {
  directory: { current(): Promise<{ trustedOrigins: readonly string[] | null }> };
  settings: SettingsService;
}) {
  /** Returns the origins allowed in an isolated ad's frame. */
  // Filtered here, too, because older versions stored such origins.
  const ofFrame = async (own: readonly string[]) =>
    [...new Set([...(await deps.settings.current()).adOrigins, ...own])].filter(
      (origin) => !isSharedOrigin(origin),
    );
  return {
    ofFrame,
    /**
     * Returns the origins allowed in pages for trusted ads. Empty without such an ad, even if the
     * settings list origins.
     */
    async ofPages(): Promise<string[]> {
      const { trustedOrigins } = await deps.directory.current();
      return trustedOrigins === null ? [] : ofFrame(trustedOrigins);
    },
  };
}

export type AdPolicy = ReturnType<typeof createAdPolicy>;

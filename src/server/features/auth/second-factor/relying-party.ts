import { isIP } from "node:net";
import { limits } from "#contract/limits.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { FindAccountUrl } from "../account-url.ts";

/** The site from the point of view of passkeys. Each passkey belongs to one host name. */
export interface RelyingParty {
  origin: string;
  host: string;
  siteName: string;
}

/**
 * @throws AppError conflict for an IP address, because browsers bind no passkeys to IP addresses.
 */
export type FindRelyingParty = () => Promise<RelyingParty>;

/** Never reads the request, because a forged `Host` header could choose the host of a passkey. */
export function createFindRelyingParty(deps: {
  findAccountUrl: FindAccountUrl;
  settings: SettingsService;
}): FindRelyingParty {
  return async () => {
    const url = new URL(await deps.findAccountUrl());
    if (isIP(url.hostname.replaceAll(/[[\]]/g, "")) !== 0) {
      throw new AppError(
        "conflict",
        "Passkeys need a host name. Set SITE_URL to a URL with a host name.",
      );
    }
    const { siteName } = await deps.settings.getPublic();
    return {
      origin: url.origin,
      host: url.hostname,
      siteName: siteName ?? limits.defaultSiteName,
    };
  };
}

import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import * as repository from "./auth.repository.ts";

/** Returns the origin that links in account mails and passkeys use, without a trailing slash. */
export type FindAccountUrl = () => Promise<string>;

/**
 * `SITE_URL`, otherwise the address under which the operator opened the set-up link, otherwise the
 * address on which the server listens. Neither the `Host` header nor the editable setting `siteUrl`
 * counts: whoever controls those would receive the links of other users.
 */
export function createFindAccountUrl(deps: {
  db: Db;
  config: Pick<Config, "siteUrl" | "hasSiteUrl">;
  /** The port on which the server listens; null before it does. */
  findPort: () => number | null;
}): FindAccountUrl {
  const { db, config, findPort } = deps;
  return async () => {
    if (config.hasSiteUrl) return config.siteUrl;
    const confirmed = await repository.findConfirmedUrl(db);
    if (confirmed !== null) return new URL(confirmed).origin;
    const port = findPort();
    return port === null ? config.siteUrl : `http://localhost:${port}`;
  };
}

import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import * as repository from "./auth.repository.ts";

/** Returns the origin that links in account mails and passkeys use, without a trailing slash. */
export type FindAccountUrl = () => Promise<string>;

/**
 * Uses `SITE_URL`, otherwise the origin at which the operator opened the set-up link, otherwise the
 * server's own address. Ignores the `Host` header and the editable setting `siteUrl`, because
 * anyone who controls those would receive other users' links.
 */
export function createFindAccountUrl(deps: {
  db: Db;
  config: Config;
  /** Port of the running server; null before it listens. */
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

import type { DbOrTrx } from "#server/db/connection.ts";
import * as repository from "./favorites.repository.ts";

/** Maximum number of favorites copied to another device, most recent first. */
const copiedMax = 500;

/**
 * Copies liked and saved videos of a visitor, who has no account, to their other device. Doesn't
 * count likes again.
 */
export const copyFavorites = (db: DbOrTrx, fromId: string, toId: string): Promise<void> =>
  repository.copyFavorites(db, { fromId, toId, max: copiedMax });

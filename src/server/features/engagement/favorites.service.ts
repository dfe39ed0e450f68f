import type { DbOrTrx } from "#server/db/connection.ts";
import { copyFavorites } from "./favorites.repository.ts";

/** Maximum number of favorites copied to another device, most recent first. */
const copiedMax = 500;

/** Liked and saved videos of visitors without an account, identified by their cookie. */
export interface FavoritesService {
  /** Copies liked and saved videos to the visitor's other device. Doesn't count likes again. */
  copy(db: DbOrTrx, fromVisitorId: string, toVisitorId: string): Promise<void>;
}

export const favoritesService: FavoritesService = {
  copy: (db, fromId, toId) => copyFavorites(db, { fromId, toId, max: copiedMax }),
};

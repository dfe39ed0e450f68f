import type { DbOrTrx } from "#server/db/connection.ts";
import { copyFavorites } from "./favorites.repository.ts";

/** So many of the latest come along to another device. */
const copiedMax = 500;

/** What visitors without an account saved, known by their cookie. */
export interface FavoritesService {
  /** Another device of the same visitor gets what this one liked or saved. Likes are not counted again. */
  copy(db: DbOrTrx, fromVisitorId: string, toVisitorId: string): Promise<void>;
}

export const favoritesService: FavoritesService = {
  copy: (db, fromId, toId) => copyFavorites(db, { fromId, toId, max: copiedMax }),
};

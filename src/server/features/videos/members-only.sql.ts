import { sql } from "kysely";

/**
 * Column of a query on `videos v`: whether only members may play the video. Premium is a badge
 * until the owner makes it a promise. See `may-play.ts`.
 */
export const isMembersOnly = sql<boolean>`(v.is_premium and exists (
  select from settings where premium_access = 'members'))`;

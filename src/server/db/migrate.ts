import { Migrator, type Migration, type MigrationProvider } from "kysely/migration";
import type { Db } from "./connection.ts";
import * as foundation from "./migrations/0001-foundation.ts";
import * as adsDelivery from "./migrations/0010-ads-delivery.ts";
import * as labelLists from "./migrations/0020-label-lists.ts";
import * as rangeScores from "./migrations/0021-range-scores.ts";
import * as search from "./migrations/0022-search.ts";
import * as coWatching from "./migrations/0023-co-watching.ts";
import * as backOffice from "./migrations/0030-back-office.ts";
import * as referralsAndPages from "./migrations/0040-referrals-and-pages.ts";
import * as backOfficeAtScale from "./migrations/0050-back-office-at-scale.ts";

/** In order; a released migration is never edited, only followed. */
const migrations: Record<string, Migration> = {
  "0001-foundation": foundation,
  "0010-ads-delivery": adsDelivery,
  "0020-label-lists": labelLists,
  "0021-range-scores": rangeScores,
  "0022-search": search,
  "0023-co-watching": coWatching,
  "0030-back-office": backOffice,
  "0040-referrals-and-pages": referralsAndPages,
  "0050-back-office-at-scale": backOfficeAtScale,
};

const provider: MigrationProvider = { getMigrations: () => Promise.resolve(migrations) };

/** Brings the schema up to date. Safe to call from several processes at once: it takes a lock. */
export async function migrateToLatest(db: Db): Promise<string[]> {
  // Parts of the product number their own; none changes what another part has made.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

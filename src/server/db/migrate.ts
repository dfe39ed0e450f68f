import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator, type Migration, type MigrationProvider } from "kysely/migration";
import { OperatorError } from "#server/lib/operator-error.ts";
import type { Db, DbOrTrx } from "./connection.ts";
import * as accounts from "./migrations/20261122T1200_accounts.ts";
import * as settings from "./migrations/20261122T1201_settings.ts";
import * as videos from "./migrations/20261122T1202_videos.ts";
import * as labels from "./migrations/20261122T1203_labels.ts";
import * as engagement from "./migrations/20261122T1204_engagement.ts";
import * as tallies from "./migrations/20261122T1205_tallies.ts";
import * as rangeScores from "./migrations/20261122T1206_range-scores.ts";
import * as textFolding from "./migrations/20261122T1207_text-folding.ts";
import * as search from "./migrations/20261122T1208_search.ts";
import * as videoChanges from "./migrations/20261122T1209_video-changes.ts";
import * as ads from "./migrations/20261122T1210_ads.ts";
import * as referrals from "./migrations/20261122T1211_referrals.ts";
import * as backOffice from "./migrations/20261122T1212_back-office.ts";
import * as signIn from "./migrations/20261122T1300_sign-in.ts";
import * as writeCounts from "./migrations/20261122T1310_write-counts.ts";
import * as changeVersion from "./migrations/20261122T1400_change-version.ts";
import * as relatedVideos from "./migrations/20261122T1401_related-videos.ts";
import * as videoStamp from "./migrations/20261122T1410_video-stamp.ts";
import * as adVerification from "./migrations/20261122T1420_ad-verification.ts";
import * as searchTiers from "./migrations/20261122T1430_search-tiers.ts";
import * as uploadLocks from "./migrations/20261122T1440_upload-locks.ts";
import * as mediaNotices from "./migrations/20261122T1450_media-notices.ts";
import * as labelTops from "./migrations/20261122T1500_label-tops.ts";
import * as partitions from "./migrations/20261122T1510_partitions.ts";
import * as mediaStorage from "./migrations/20261122T1530_media-storage.ts";
import * as stagedUploads from "./migrations/20261122T1531_staged-uploads.ts";
import * as publishedMedia from "./migrations/20261122T1532_published-media.ts";
import * as people from "./migrations/20261122T1600_people.ts";
import * as rewards from "./migrations/20261122T1610_rewards.ts";
import * as movedMedia from "./migrations/20261122T1620_moved-media.ts";
import * as secondFactors from "./migrations/20261122T1620_second-factors.ts";
import * as apiTokens from "./migrations/20261122T1630_api-tokens.ts";
import * as reports from "./migrations/20261122T1700_reports.ts";
import * as adReservations from "./migrations/20261122T1705_ad-reservations.ts";
import * as adErrors from "./migrations/20261122T1708_ad-errors.ts";
import * as webhooks from "./migrations/20261122T1710_webhooks.ts";
import * as restrictions from "./migrations/20261122T1720_restrictions.ts";
import * as searchWords from "./migrations/20261122T1725_search-words.ts";
import * as trash from "./migrations/20261122T1740_trash.ts";
import * as ladderParts from "./migrations/20261122T1745_ladder-parts.ts";
import * as deviceTransfers from "./migrations/20261123T0030_device-transfers.ts";
import * as comments from "./migrations/20261123T0300_comments.ts";
import * as imports from "./migrations/20261123T0400_imports.ts";
import * as accent from "./migrations/20261123T0410_accent.ts";
import * as transferVisitors from "./migrations/20261123T0500_transfer-visitors.ts";
import * as captions from "./migrations/20261123T0600_captions.ts";
import * as chapters from "./migrations/20261123T0610_chapters.ts";
import * as adOrigins from "./migrations/20261123T0700_ad-origins.ts";
import * as breakRules from "./migrations/20261123T0710_break-rules.ts";
import * as sellerFiles from "./migrations/20261123T0720_seller-files.ts";
import * as adApproval from "./migrations/20261123T0730_ad-approval.ts";
import * as siteLanguage from "./migrations/20261123T0800_site-language.ts";
import * as replacements from "./migrations/20261123T1000_replacements.ts";
import * as sealedTotp from "./migrations/20261123T1010_sealed-totp.ts";
import * as visibility from "./migrations/20261123T1020_visibility.ts";
import * as loudness from "./migrations/20261123T1100_loudness.ts";
import * as sounds from "./migrations/20261123T1110_sounds.ts";
import * as spokenWords from "./migrations/20261123T1120_spoken-words.ts";
import * as campaigns from "./migrations/20261123T1200_campaigns.ts";
import * as spellingKeys from "./migrations/20261123T1250_spelling-keys.ts";
import * as playOrigins from "./migrations/20261123T1300_play-origins.ts";
import * as officeIndexes from "./migrations/20261123T1310_office-indexes.ts";
import * as reportLanguage from "./migrations/20261123T1400_report-language.ts";
import * as ownTexts from "./migrations/20261123T1410_own-texts.ts";
import * as translations from "./migrations/20261123T1420_translations.ts";
import * as renewals from "./migrations/20261123T1600_renewals.ts";
import * as sourceHashes from "./migrations/20261123T1610_source-hashes.ts";
import * as ladderQuality from "./migrations/20261123T1700_ladder-quality.ts";
import * as originals from "./migrations/20261123T1750_originals.ts";
import * as podsAndMidrolls from "./migrations/20261123T1800_pods-and-midrolls.ts";
import * as bumpers from "./migrations/20261123T1810_bumpers.ts";
import * as reportMails from "./migrations/20261123T1850_report-mails.ts";
import * as efficientRenditions from "./migrations/20261123T2020_efficient-renditions.ts";
import * as documentWords from "./migrations/20261124T0100_document-words.ts";
import * as versions from "./migrations/20261124T0235_versions.ts";
import * as retiredFiles from "./migrations/20261124T1630_retired-files.ts";
import * as sourceUrl from "./migrations/20261124T1636_source-url.ts";
import * as withoutLabelTops from "./migrations/20261124T1636_without-label-tops.ts";
import * as confirmedAddress from "./migrations/20261124T1655_confirmed-address.ts";
import * as reportSenders from "./migrations/20261124T1658_report-senders.ts";
import * as adAddressGroups from "./migrations/20261124T1744_ad-address-groups.ts";
import * as adRotation from "./migrations/20261124T1745_ad-rotation.ts";
import * as fingerprints from "./migrations/20261126T1400_fingerprints.ts";
import * as playWeights from "./migrations/20261126T1410_play-weights.ts";
import * as campaignDays from "./migrations/20261126T1440_campaign-days.ts";
import * as withoutTitleTrigrams from "./migrations/20261126T1805_without-title-trigrams.ts";

/**
 * Named by time and subject. Never edit a released migration: append another one. `migrate.test.ts`
 * verifies the content of released ones.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "20261122T1200_accounts": accounts,
  "20261122T1201_settings": settings,
  "20261122T1202_videos": videos,
  "20261122T1203_labels": labels,
  "20261122T1204_engagement": engagement,
  "20261122T1205_tallies": tallies,
  "20261122T1206_range-scores": rangeScores,
  "20261122T1207_text-folding": textFolding,
  "20261122T1208_search": search,
  "20261122T1209_video-changes": videoChanges,
  "20261122T1210_ads": ads,
  "20261122T1211_referrals": referrals,
  "20261122T1212_back-office": backOffice,
  "20261122T1300_sign-in": signIn,
  "20261122T1310_write-counts": writeCounts,
  "20261122T1400_change-version": changeVersion,
  "20261122T1401_related-videos": relatedVideos,
  "20261122T1410_video-stamp": videoStamp,
  "20261122T1420_ad-verification": adVerification,
  "20261122T1430_search-tiers": searchTiers,
  "20261122T1440_upload-locks": uploadLocks,
  "20261122T1450_media-notices": mediaNotices,
  "20261122T1500_label-tops": labelTops,
  "20261122T1510_partitions": partitions,
  "20261122T1530_media-storage": mediaStorage,
  "20261122T1531_staged-uploads": stagedUploads,
  "20261122T1532_published-media": publishedMedia,
  "20261122T1600_people": people,
  "20261122T1610_rewards": rewards,
  "20261122T1620_moved-media": movedMedia,
  "20261122T1620_second-factors": secondFactors,
  "20261122T1630_api-tokens": apiTokens,
  "20261122T1700_reports": reports,
  "20261122T1705_ad-reservations": adReservations,
  "20261122T1708_ad-errors": adErrors,
  "20261122T1710_webhooks": webhooks,
  "20261122T1720_restrictions": restrictions,
  "20261122T1725_search-words": searchWords,
  "20261122T1740_trash": trash,
  "20261122T1745_ladder-parts": ladderParts,
  "20261123T0030_device-transfers": deviceTransfers,
  "20261123T0300_comments": comments,
  "20261123T0400_imports": imports,
  "20261123T0410_accent": accent,
  "20261123T0500_transfer-visitors": transferVisitors,
  "20261123T0600_captions": captions,
  "20261123T0610_chapters": chapters,
  "20261123T0700_ad-origins": adOrigins,
  "20261123T0710_break-rules": breakRules,
  "20261123T0720_seller-files": sellerFiles,
  "20261123T0730_ad-approval": adApproval,
  "20261123T0800_site-language": siteLanguage,
  "20261123T1000_replacements": replacements,
  "20261123T1010_sealed-totp": sealedTotp,
  "20261123T1020_visibility": visibility,
  "20261123T1100_loudness": loudness,
  "20261123T1110_sounds": sounds,
  "20261123T1120_spoken-words": spokenWords,
  "20261123T1200_campaigns": campaigns,
  "20261123T1250_spelling-keys": spellingKeys,
  "20261123T1300_play-origins": playOrigins,
  "20261123T1310_office-indexes": officeIndexes,
  "20261123T1400_report-language": reportLanguage,
  "20261123T1410_own-texts": ownTexts,
  "20261123T1420_translations": translations,
  "20261123T1600_renewals": renewals,
  "20261123T1610_source-hashes": sourceHashes,
  "20261123T1700_ladder-quality": ladderQuality,
  "20261123T1750_originals": originals,
  "20261123T1800_pods-and-midrolls": podsAndMidrolls,
  "20261123T1810_bumpers": bumpers,
  "20261123T1850_report-mails": reportMails,
  "20261123T2020_efficient-renditions": efficientRenditions,
  "20261124T0100_document-words": documentWords,
  "20261124T0235_versions": versions,
  "20261124T1630_retired-files": retiredFiles,
  "20261124T1636_source-url": sourceUrl,
  "20261124T1636_without-label-tops": withoutLabelTops,
  "20261124T1655_confirmed-address": confirmedAddress,
  "20261124T1658_report-senders": reportSenders,
  "20261124T1744_ad-address-groups": adAddressGroups,
  "20261124T1745_ad-rotation": adRotation,
  "20261126T1400_fingerprints": fingerprints,
  "20261126T1410_play-weights": playWeights,
  "20261126T1440_campaign-days": campaignDays,
  "20261126T1805_without-title-trigrams": withoutTitleTrigrams,
};

/**
 * Error for a database with migrations that this version doesn't know. The message is for
 * operators.
 */
class UnknownSchemaError extends OperatorError {
  constructor(migration: string) {
    // Migrations before 0.2.0 had a number and no time.
    const isFirstVersion = /^\d{4}-/.test(migration);
    super(
      isFirstVersion
        ? `The database was created by Kinora 0.1 (migration ${migration}), which no later version can upgrade. Use an empty DATA_DIR or database, and import the videos there: set IMPORT_DIR to storage/objects/sources of the old DATA_DIR (see docs/import-export.md).`
        : `The database was created by a newer version of Kinora (migration ${migration}). Start that version or a newer one, or use an empty database.`,
    );
  }
}

/** Returns the names of the applied migrations; empty for a new database. */
export async function listApplied(db: DbOrTrx): Promise<string[]> {
  const table = await sql<{ found: string | null }>`
    select to_regclass('kysely_migration')::text as found`.execute(db);
  if (table.rows[0]?.found == null) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Kysely's lock, so that earlier versions of the program also wait for it. */
const lockId = 3_853_314_791_062_309_107n;

/**
 * Timeout for table locks. A statement that waits for one blocks all later ones, so a migration on
 * a running site gives up after this time, lets them pass, and retries.
 */
const lockTimeoutMs = 2000;
const pauseMs = 500;
const maxTries = 40;

/**
 * Updates the schema. Takes a lock, so several processes may call it at once.
 * @returns the names of the migrations applied.
 * @throws UnknownSchemaError if another version changed the database; OperatorError if other
 * transactions keep the tables locked.
 */
export async function migrateToLatest(
  db: Db,
  all = migrations,
  options = { lockTimeoutMs },
): Promise<string[]> {
  const patient = Object.entries(all).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(trx) {
        await sql`select set_config('lock_timeout', ${String(options.lockTimeoutMs)}, true)`.execute(
          trx,
        );
        await migration.up(trx);
      },
    },
  ]);
  const provider: MigrationProvider = {
    getMigrations: () => Promise.resolve(Object.fromEntries(patient)),
  };
  const migrate = () =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(trx);
      const unknown = (await listApplied(trx)).find((name) => all[name] === undefined);
      if (unknown !== undefined) throw new UnknownSchemaError(unknown);
      // A branch merged late may bring an earlier timestamp, which is also applied.
      const migrator = new Migrator({ db: trx, provider, allowUnorderedMigrations: true });
      const { error, results } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      return (results ?? []).map((result) => result.migrationName);
    });
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === maxTries) {
        throw new OperatorError(
          "The schema cannot be changed: another transaction keeps its tables locked. End it, for example a long report, and start again.",
          { cause: error },
        );
      }
    }
    await wait(pauseMs);
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "55P03";

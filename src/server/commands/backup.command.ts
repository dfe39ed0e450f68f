import { createBackup } from "#server/backup/create-backup.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { adoptStorage, openCurrentStorage } from "#server/open-storage.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, withDatabase, type Command } from "./command.ts";

/** These commands don't change the schema, so they can run before an upgrade. */
const options = { isMigrated: true, maxConnections: 1 };

const passphraseOf = (env: NodeJS.ProcessEnv): string | null => env["BACKUP_PASSPHRASE"] || null;

const passphraseNote = "With the environment variable BACKUP_PASSPHRASE, a backup is encrypted.";

export const backup: Command = {
  name: "npm run admin -- backup",
  summary: "Writes the whole site into one file, while the site runs.",
  args: ["FILE"],
  options: { "without-media": { help: "only the database" } },
  examples: [
    "npm run admin -- backup /backups/kinora.tar",
    "npm run admin -- backup /backups/rows.tar --without-media",
  ],
  notes: [passphraseNote],
  async run(config, { args: [file = ""], flags }) {
    const hasMedia = !flags.has("without-media");
    const done = await withDatabase(config, options, async ({ db }) => {
      const created = await createBackup({
        db,
        file,
        storage: hasMedia ? await openCurrentStorage(config, db) : null,
        passphrase: passphraseOf(process.env),
      });
      // The doctor reads the age of the last backup from this entry.
      const about = { action: "backup.created", entity: "backup", entityId: null };
      await recordAudit(db, commandLine, { ...about, after: { ...created, hasMedia } });
      return created;
    });
    const megabytes = Math.ceil(done.sizeBytes / 1e6);
    say(`Saved ${done.rows} rows and ${done.files} files to ${file} (${megabytes} MB).`);
    if (done.missing > 0)
      say(`${done.missing} files were deleted in the meantime and aren't in the backup.`);
  },
};

export const restore: Command = {
  name: "npm run admin -- restore",
  summary: "Restores a backup into a site without users, videos and files. Stop Kinora first.",
  args: ["FILE"],
  examples: ["DATA_DIR=/new/data npm run admin -- restore /backups/kinora.tar"],
  notes: [passphraseNote],
  async run(config, { args: [file = ""] }) {
    const { head, rows, files } = await withDatabase(config, options, async ({ db }) => {
      const storage = await openCurrentStorage(config, db);
      const passphrase = passphraseOf(process.env);
      const report = await restoreBackup({ db, file, storage, passphrase });
      await adoptStorage(config, db);
      return report;
    });
    say(`Restored ${rows} rows and ${files} files of ${head.createdAt}.`);
    if (!head.hasMedia) say("The backup contains no media files. Restore the storage folder too.");
  },
};

import { readConfig } from "#server/config.ts";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError, OperatorError } from "#server/lib/app-error.ts";
import {
  asksForHelp,
  helpOf,
  readArguments,
  usageOf,
  UsageError,
} from "#server/lib/command-line.mjs";
import { say } from "#server/processes/say.ts";
import { createBackup } from "#server/backup/create-backup.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { adoptStorage, commandPausesMs, openCurrentStorage } from "#server/open-storage.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { createLogger } from "#server/lib/logger.ts";
import * as accounts from "./accounts.command.ts";
import { commandLine, withDatabase, type Command } from "./command.ts";
import { doctor } from "./doctor.command.ts";
import { importSite } from "./import-site.command.ts";
import { reprocess } from "./reprocess.command.ts";
import { storageAdopt, storageMove } from "./storage.command.ts";

/**
 * Updates the schema, including that of the job queue, so that the next start has nothing to
 * migrate.
 */
const migrate: Command = {
  name: "npm run migrate",
  summary: "Updates the database schema to this version. Run it while the site runs or not.",
  examples: ["npm run migrate"],
  run: (config) =>
    withDatabase(config, { isMigrated: false, maxConnections: 1 }, async ({ applied, target }) => {
      for (const name of applied) say(`Applied ${name}.`);
      const logger = createLogger("warn");
      const queue = await createJobQueue({ target, logger, isWorker: false });
      await queue.stop(0);
      say(applied.length === 0 ? "The schema was up to date." : "The schema is up to date.");
    }),
};

/** These commands don't change the schema, so they can run before an upgrade. */
const options = { isMigrated: true, maxConnections: 1 };

const passphraseOf = (env: NodeJS.ProcessEnv): string | null => env["BACKUP_PASSPHRASE"] || null;

const backup: Command = {
  name: "npm run admin -- backup",
  summary: "Writes the whole site into one file, while the site runs.",
  args: ["FILE"],
  options: { "without-media": { help: "only the database" } },
  examples: [
    "npm run admin -- backup /backups/kinora.tar",
    "npm run admin -- backup /backups/rows.tar --without-media",
  ],
  notes: ["With the environment variable BACKUP_PASSPHRASE, a backup is encrypted."],
  async run(config, { args: [file = ""], flags }) {
    const hasMedia = !flags.has("without-media");
    const done = await withDatabase(config, options, async ({ db }) => {
      const created = await createBackup({
        db,
        file,
        storage: hasMedia ? await openCurrentStorage(config, db, commandPausesMs) : null,
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

const restore: Command = {
  name: "npm run admin -- restore",
  summary: "Restores a backup into a site without users, videos and files. Stop Kinora first.",
  args: ["FILE"],
  examples: ["DATA_DIR=/new/data npm run admin -- restore /backups/kinora.tar"],
  notes: ["An encrypted backup needs its BACKUP_PASSPHRASE."],
  async run(config, { args: [file = ""] }) {
    const { head, rows, files } = await withDatabase(config, options, async ({ db }) => {
      const storage = await openCurrentStorage(config, db, commandPausesMs);
      const passphrase = passphraseOf(process.env);
      const report = await restoreBackup({ db, file, storage, passphrase });
      await adoptStorage(config, db, commandPausesMs);
      return report;
    });
    say(`Restored ${rows} rows and ${files} files of ${head.createdAt}.`);
    if (!head.hasMedia) say("The backup contains no media files. Restore the storage folder too.");
  },
};

/** Commands by name, in the order of the help. Names may have two words. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ["list", accounts.list],
  ["create", accounts.create],
  ["set-role", accounts.setRole],
  ["reset-password", accounts.resetPassword],
  ["reset-two-factor", accounts.resetTwoFactor],
  ["remove", accounts.remove],
  ["backup", backup],
  ["restore", restore],
  ["storage adopt", storageAdopt],
  ["storage move", storageMove],
  ["import-site", importSite],
  ["reprocess", reprocess],
  ["migrate", migrate],
  ["doctor", doctor],
]);

/**
 * Runs a command of `npm run admin` and prints why it failed.
 * @returns the exit code: 1 after a failure, 2 for invalid arguments.
 */
export async function runCommand(args: string[]): Promise<number> {
  try {
    const match = findCommand(args);
    const values = match === null ? null : readArguments(match.command, match.args);
    if (match === null || values === null) {
      say(match === null ? listCommands(args[0]) : helpOf(match.command));
      return 0;
    }
    return (await match.command.run(readConfig(process.env), values)) === "failed" ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** @returns null if the user asks for the list of commands. @throws UsageError */
function findCommand(args: string[]): { command: Command; args: string[] } | null {
  for (const words of [2, 1]) {
    const command = commands.get(args.slice(0, words).join(" "));
    if (command !== undefined) return { command, args: args.slice(words) };
  }
  if (asksForHelp(args)) return null;
  const [name = "", second] = args;
  const actions = namesBelow(name).filter((known) => known.startsWith(`${name} `));
  const isGroup = name !== "" && actions.length > 0;
  const given = isGroup && second !== undefined ? `${name} ${second}` : name;
  const problem = given === "" ? "Specify a command" : `Unknown command "${given}"`;
  const choice = isGroup ? ` Use ${actions.join(" or ")}.` : "";
  throw new UsageError(`${problem}.${choice} See npm run admin -- --help.`);
}

/** Returns the commands of a group such as `storage`. Returns all commands for an unknown group. */
function namesBelow(group = ""): string[] {
  const own = [...commands.keys()].filter((name) => name.startsWith(`${group} `));
  return own.length > 0 ? own : [...commands.keys()];
}

function listCommands(group: string | undefined): string {
  const shown = namesBelow(group).flatMap((name) => commands.get(name) ?? []);
  const lines = shown.map((command) => `  ${usageOf(command)}\n      ${command.summary}`);
  return `Usage:\n${lines.join("\n")}\n\nAdd --help to a command for its options and examples.`;
}

/** Returns one line if the operator can act on the error, otherwise the whole error. */
function explain(error: unknown): string {
  const isExpected =
    error instanceof UsageError || error instanceof AppError || error instanceof OperatorError;
  if (isExpected) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseUnreachable(error)) return error.stack ?? error.message;
  const reason = error.message.split("\n")[0] ?? "";
  return `The database cannot be used now (${reason}). Run the command again when it responds.`;
}

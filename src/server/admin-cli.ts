import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { passwordRule, roles } from "../contract/auth.ts";
import { createBackup } from "./backup/create-backup.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { readConfig, type Config } from "./config.ts";
import { checkServer } from "./db/check-server.ts";
import { openDatabase } from "./db/open-database.ts";
import { getSecret } from "./db/secrets.ts";
import type { AccountsService } from "./features/auth/accounts.service.ts";
import { createAuthService } from "./features/auth/auth.service.ts";
import { AppError } from "./lib/app-error.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { systemClock } from "./lib/clock.ts";
import { ensureDataFolder } from "./lib/data-folder.ts";
import { createLogger } from "./lib/logger.ts";
import { createLocalStorage } from "./storage/local.storage.ts";

const usage = `Usage:
  npm run admin -- list
  npm run admin -- create EMAIL [--role ADMIN|USER] [--name NAME]
  npm run admin -- reset-password EMAIL
  npm run admin -- remove EMAIL
  npm run admin -- backup FILE [--without-media]
  npm run admin -- restore FILE

A backup is encrypted if the environment variable BACKUP_PASSPHRASE is set.
The password is read from standard input, or from the environment variable PASSWORD.`;

/** Who acts, as the audit log names it. */
const actor = { user: { id: null, email: "command line" }, requestId: "npm run admin" };

class UsageError extends Error {}

const say = (line: string) => process.stdout.write(`${line}\n`);

function option(args: string[], name: string): string | null {
  const at = args.indexOf(`--${name}`);
  if (at < 0) return null;
  const [, value] = args.splice(at, 2);
  if (value === undefined) throw new UsageError(`--${name} needs a value.`);
  return value;
}

async function readPassword(): Promise<string> {
  const given = process.env["PASSWORD"];
  let password = given;
  if (password === undefined) {
    const input = createInterface({ input: process.stdin, output: process.stderr });
    password = await input.question("Password: ");
    input.close();
  }
  const checked = passwordRule.safeParse(password);
  if (!checked.success) throw new UsageError(`${checked.error.issues[0]?.message ?? "Invalid"}.`);
  return checked.data;
}

async function perform(accounts: AccountsService, args: string[]): Promise<void> {
  const wanted = option(args, "role") ?? "ADMIN";
  const role = roles.find((known) => known === wanted);
  if (role === undefined) throw new UsageError(`--role: give one of ${roles.join(", ")}.`);
  const name = option(args, "name") ?? "";
  const [command, email] = args;
  if (command === "list") {
    for (const user of await accounts.list(actor)) {
      say(`${user.email}\t${user.role}\t${user.name}\t${user.createdAt.toISOString()}`);
    }
    return;
  }
  if (email === undefined || !email.includes("@")) throw new UsageError(usage);
  if (command === "create") {
    const user = await accounts.create(
      { email, password: await readPassword(), name, role },
      actor,
    );
    say(`Created ${user.email} with the role ${user.role}.`);
  } else if (command === "reset-password") {
    await accounts.resetPassword(email, await readPassword(), actor);
    say(`The password of ${email} is changed; all its sessions are ended.`);
  } else if (command === "remove") {
    await accounts.remove(email, actor);
    say(`Removed ${email}; all its sessions are ended.`);
  } else throw new UsageError(usage);
}

/** Backups leave the schema as it is, so that one can be made before an upgrade. */
async function runBackup(config: Config, args: string[]): Promise<void> {
  const withoutMedia = args.indexOf("--without-media");
  if (withoutMedia >= 0) args.splice(withoutMedia, 1);
  const [command, file, ...rest] = args;
  if (file === undefined || rest.length > 0) throw new UsageError(usage);
  const { db, close } = await openDatabase(config, createLogger("error"), {
    maxConnections: 1,
    isMigrated: true,
  });
  const storage = createLocalStorage({
    root: join(config.dataDir, "storage"),
    isProxied: config.accelRedirect !== null,
  });
  const passphrase = process.env["BACKUP_PASSPHRASE"] || null;
  try {
    if (command === "backup") {
      const hasMedia = withoutMedia < 0;
      const done = await createBackup({ db, storage, file, hasMedia, passphrase });
      const megabytes = Math.ceil(done.sizeBytes / 1e6);
      say(`Saved ${done.rows} rows and ${done.files} files to ${file} (${megabytes} MB).`);
      if (done.missing > 0) say(`${done.missing} files were removed meanwhile and are not in it.`);
    } else {
      const { head, ...done } = await restoreBackup({ db, storage, file, passphrase });
      say(`Restored ${done.rows} rows and ${done.files} files of ${head.createdAt}.`);
      if (!head.hasMedia) say("The backup holds no media: put the storage folder back too.");
    }
  } finally {
    await close();
  }
}

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const isBackup = ["backup", "restore"].includes(args[0] ?? "");
  if (!isBackup && !["list", "create", "reset-password", "remove"].includes(args[0] ?? ""))
    throw new UsageError(usage);
  const config = readConfig(process.env);
  if (isBackup) {
    await ensureDataFolder(config.dataDir);
    if (config.databaseUrl !== null) await checkServer(config.databaseUrl);
    return runBackup(config, args);
  }
  if (config.databaseUrl !== null) await checkServer(config.databaseUrl);
  const { db, close } = await openDatabase(config, createLogger("error"), { maxConnections: 2 });
  try {
    const secret = await getSecret(db, "cookies");
    await perform(createAuthService({ db, clock: systemClock, secret }).accounts, args);
  } finally {
    await close();
  }
}

run().catch((error: unknown) => {
  const isExpected =
    error instanceof UsageError || error instanceof AppError || error instanceof OperatorError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});

import { accountCommand } from "./commands/accounts.command.ts";
import { backup, restore } from "./commands/backup.command.ts";
import { UsageError, type Command } from "./commands/command.ts";
import { doctor } from "./commands/doctor.command.ts";
import { migrate } from "./commands/migrate.command.ts";
import { reprocess } from "./commands/reprocess.command.ts";
import { storage } from "./commands/storage.command.ts";
import { readConfig } from "./config.ts";
import { isDatabaseUnreachable } from "./db/connection.ts";
import { AppError } from "./lib/app-error.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { outliveReaders } from "./processes/say.ts";

const usage = `Usage:
  npm run admin -- list
  npm run admin -- create EMAIL [--role OWNER|ADMIN|EDITOR|MODERATOR|ANALYST|USER] [--name NAME]
  npm run admin -- set-role EMAIL --role OWNER|ADMIN|EDITOR|MODERATOR|ANALYST|USER
  npm run admin -- reset-password EMAIL
  npm run admin -- reset-two-factor EMAIL
  npm run admin -- remove EMAIL
  npm run admin -- backup FILE [--without-media]
  npm run admin -- restore FILE
  npm run admin -- storage adopt
  npm run admin -- storage move --to s3|disk
  npm run admin -- reprocess [VIDEO...] [--dry-run]
  npm run admin -- reprocess --damaged [--dry-run]
  npm run admin -- reprocess --stop
  npm run migrate
  npm run doctor

The password is read from standard input, or from the environment variable PASSWORD.
A backup is encrypted if the environment variable BACKUP_PASSPHRASE is set.`;

const commands = new Map<string, Command>([
  ["list", accountCommand("list")],
  ["create", accountCommand("create")],
  ["reset-password", accountCommand("reset-password")],
  ["set-role", accountCommand("set-role")],
  ["reset-two-factor", accountCommand("reset-two-factor")],
  ["remove", accountCommand("remove")],
  ["backup", backup],
  ["restore", restore],
  ["storage", storage],
  ["reprocess", reprocess],
  ["migrate", migrate],
  ["doctor", doctor],
]);

async function run(): Promise<void> {
  const [name = "", ...args] = process.argv.slice(2);
  const command = commands.get(name);
  if (command === undefined) throw new UsageError("Specify a command.");
  await command(readConfig(process.env), args);
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

outliveReaders();
let isSettled = false;
// Reports a command that ended while it was waiting and hadn't done anything.
process.on("exit", (code) => {
  if (isSettled || code !== 0) return;
  process.stderr.write("The command was interrupted. Nothing was done.\n");
  process.exitCode = 1;
});
run()
  .catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${usage}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    isSettled = true;
  });

import { accountCommand } from "./accounts.command.ts";
import { backup, restore } from "./backup.command.ts";
import { UsageError, type Command } from "./command.ts";
import { doctor } from "./doctor.command.ts";
import { migrate } from "./migrate.command.ts";
import { reprocess } from "./reprocess.command.ts";
import { storage } from "./storage.command.ts";
import { readConfig } from "#server/config.ts";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { OperatorError } from "#server/lib/operator-error.ts";

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

/** Runs a command of `npm run admin` and prints why it failed. @returns the exit code. */
export async function runCommand([name = "", ...args]: string[]): Promise<number> {
  try {
    const command = commands.get(name);
    if (command === undefined) throw new UsageError("Specify a command.");
    return (await command(readConfig(process.env), args)) === "failed" ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${usage}\n`);
    return 1;
  }
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

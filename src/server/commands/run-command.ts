import * as accounts from "./accounts.command.ts";
import { backup, restore } from "./backup.command.ts";
import type { Command } from "./command.ts";
import { doctor } from "./doctor.command.ts";
import { migrate } from "./migrate.command.ts";
import { reprocess } from "./reprocess.command.ts";
import { storageAdopt, storageMove } from "./storage.command.ts";
import { readConfig } from "#server/config.ts";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import {
  asksForHelp,
  helpOf,
  readArguments,
  usageOf,
  UsageError,
} from "#server/lib/command-line.mjs";
import { OperatorError } from "#server/lib/operator-error.ts";
import { say } from "#server/processes/say.ts";

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
    const found = findCommand(args);
    const given = found === null ? null : readArguments(found.command, found.args);
    if (found === null || given === null) {
      say(found === null ? listCommands(args[0]) : helpOf(found.command));
      return 0;
    }
    return (await found.command.run(readConfig(process.env), given)) === "failed" ? 1 : 0;
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
  const problem = given === "" ? "Specify a command" : `There is no command "${given}"`;
  const choice = isGroup ? ` There are ${actions.join(" and ")}.` : "";
  throw new UsageError(`${problem}.${choice} See npm run admin -- --help.`);
}

/** Returns the names of a group such as `storage`, or all if there is no such group. */
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

import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { passwordRule } from "#contract/accounts/auth.ts";
import { accountRoleOf, accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { getSecret } from "#server/db/secrets.ts";
import type { AccountsService } from "#server/features/auth/accounts.service.ts";
import { createAuthService } from "#server/features/auth/auth.service.ts";
import { systemClock } from "#server/lib/clock.ts";
import { OperatorError } from "#server/lib/operator-error.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, UsageError, withDatabase, type Command } from "./command.ts";

type AccountCommand =
  | "list"
  | "create"
  | "set-role"
  | "reset-password"
  | "reset-two-factor"
  | "remove";

const optionsOf: Record<AccountCommand, readonly string[]> = {
  list: [],
  create: ["role", "name"],
  "set-role": ["role"],
  "reset-password": [],
  "reset-two-factor": [],
  remove: [],
};

interface Arguments {
  email: string;
  /** Null if the option is missing. */
  role: AccountRole | null;
  name: string;
}

/** @throws UsageError for unknown options, a missing address or extra arguments. */
function readArguments(command: AccountCommand, args: string[]): Arguments {
  const { role, name, positionals } = parseOptions(command, args);
  const [email = "", ...rest] = positionals;
  if (command === "list" ? positionals.length > 0 : rest.length > 0) {
    throw new UsageError(`${command}: unexpected argument "${positionals.at(-1)}".`);
  }
  if (command !== "list" && !email.includes("@")) {
    throw new UsageError(`${command} needs an email address.`);
  }
  const found = accountRoles.find((known) => known === role);
  const isMissing = role === undefined && command !== "set-role";
  if (found === undefined && !isMissing) {
    throw new UsageError(`--role: use one of ${accountRoles.join(", ")}.`);
  }
  return { email, role: found ?? null, name: name ?? "" };
}

function parseOptions(command: AccountCommand, args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(
        optionsOf[command].map((name) => [name, { type: "string" as const }]),
      ),
      allowPositionals: true,
    });
    const { role, name } = z.record(z.string(), z.string()).parse(values);
    return { role, name, positionals };
  } catch (error) {
    throw new UsageError(`${command}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readPassword(): Promise<string> {
  const given = process.env["PASSWORD"];
  let password = given;
  if (password === undefined) {
    const input = createInterface({ input: process.stdin, output: process.stderr });
    const ended = new Promise<never>((_resolve, reject) => {
      input.once("close", () => {
        reject(new OperatorError("No password given. Nothing was changed."));
      });
    });
    password = await Promise.race([input.question("Password: "), ended]);
    input.close();
  }
  const checked = passwordRule.safeParse(password);
  if (!checked.success) {
    throw new OperatorError(`The password: ${checked.error.issues[0]?.message ?? "Invalid"}.`);
  }
  return checked.data;
}

async function perform(
  accounts: AccountsService,
  command: AccountCommand,
  { email, role, name }: Arguments,
): Promise<void> {
  if (command === "list") {
    for (const user of await accounts.list(commandLine)) {
      say(`${user.email}\t${accountRoleOf(user)}\t${user.name}\t${user.createdAt.toISOString()}`);
    }
    return;
  }
  if (command === "create") {
    const user = await accounts.create(
      { email, password: await readPassword(), name, role: role ?? "ADMIN" },
      commandLine,
    );
    say(`Created ${user.email} with the role ${accountRoleOf(user)}.`);
  } else if (role !== null) {
    await accounts.setRole(email, role, commandLine);
    say(`${email} now has the role ${role} and is signed out everywhere.`);
  } else if (command === "reset-two-factor") {
    await accounts.resetSecondFactors(email, commandLine);
    say(`${email} now signs in with the password alone and is signed out everywhere.`);
  } else if (command === "reset-password") {
    await accounts.resetPassword(email, await readPassword(), commandLine);
    say(`Changed the password of ${email} and signed it out everywhere.`);
  } else {
    await accounts.remove(email, commandLine);
    say(`Removed ${email} and signed it out everywhere.`);
  }
}

/** Returns the command of this name for back-office accounts. */
export const accountCommand =
  (name: AccountCommand): Command =>
  async (config, args) => {
    const given = readArguments(name, args);
    await withDatabase(config, { isMigrated: false, maxConnections: 2 }, async ({ db }) => {
      const secret = await getSecret(db, "cookies");
      await perform(createAuthService({ db, clock: systemClock, secret }).accounts, name, given);
    });
  };

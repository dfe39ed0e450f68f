import { createInterface } from "node:readline/promises";
import { passwordRule } from "#contract/accounts/auth.ts";
import { accountRoleOf, accountRoles } from "#contract/accounts/policy.ts";
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
    const ended = new Promise<never>((_resolve, reject) => {
      input.once("close", () => {
        reject(new OperatorError("No password was given; nothing was changed."));
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
  args: string[],
): Promise<void> {
  const wanted = option(args, "role") ?? "ADMIN";
  const role = accountRoles.find((known) => known === wanted);
  if (role === undefined) throw new UsageError(`--role: give one of ${accountRoles.join(", ")}.`);
  const name = option(args, "name") ?? "";
  const [email] = args;
  if (command === "list") {
    for (const user of await accounts.list(commandLine)) {
      say(`${user.email}\t${accountRoleOf(user)}\t${user.name}\t${user.createdAt.toISOString()}`);
    }
    return;
  }
  if (email === undefined || !email.includes("@")) {
    throw new UsageError(`${command} needs an email address.`);
  }
  if (command === "create") {
    const user = await accounts.create(
      { email, password: await readPassword(), name, role },
      commandLine,
    );
    say(`Created ${user.email} with the role ${accountRoleOf(user)}.`);
  } else if (command === "set-role") {
    await accounts.setRole(email, role, commandLine);
    say(`${email} has the role ${role}; all its sessions are ended.`);
  } else if (command === "reset-two-factor") {
    await accounts.resetSecondFactors(email, commandLine);
    say(`${email} signs in with the password alone; all its sessions are ended.`);
  } else if (command === "reset-password") {
    await accounts.resetPassword(email, await readPassword(), commandLine);
    say(`The password of ${email} is changed; all its sessions are ended.`);
  } else {
    await accounts.remove(email, commandLine);
    say(`Removed ${email}; all its sessions are ended.`);
  }
}

/** Returns the command of this name for back-office accounts. */
export const accountCommand =
  (name: AccountCommand): Command =>
  (config, args) =>
    withDatabase(config, { isMigrated: false, maxConnections: 2 }, async ({ db }) => {
      const secret = await getSecret(db, "cookies");
      await perform(createAuthService({ db, clock: systemClock, secret }).accounts, name, args);
    });

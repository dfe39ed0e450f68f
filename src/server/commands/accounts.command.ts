import { createInterface } from "node:readline/promises";
import { passwordRule } from "#contract/accounts/auth.ts";
import { accountRoleOf, accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import type { Config } from "#server/config.ts";
import { getSecret } from "#server/db/secrets.ts";
import type { AccountsService } from "#server/features/auth/accounts.service.ts";
import { createAuthService } from "#server/features/auth/auth.service.ts";
import { systemClock } from "#server/lib/clock.ts";
import { UsageError, type Given } from "#server/lib/command-line.mjs";
import { OperatorError } from "#server/lib/app-error.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, withDatabase, type Command } from "./command.ts";

const roleOption = { role: { value: "ROLE", help: accountRoles.join(", ") } };
const emailOf = ({ args: [email = ""] }: Given): string => {
  if (!email.includes("@")) throw new UsageError(`"${email}" isn't an email address.`);
  return email;
};

/** @returns null without the option. @throws UsageError for an unknown role. */
function roleOf({ values: { role } }: Given): AccountRole | null {
  if (role === undefined) return null;
  const accountRole = accountRoles.find((each) => each === role);
  if (accountRole === undefined)
    throw new UsageError(`--role: use one of ${accountRoles.join(", ")}.`);
  return accountRole;
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

/** Opens the accounts of the site. */
const withAccounts = (config: Config, work: (accounts: AccountsService) => Promise<void>) =>
  withDatabase(config, { isMigrated: false, maxConnections: 2 }, async ({ db }) => {
    const secret = await getSecret(db);
    await work(createAuthService({ db, clock: systemClock, secret }).accounts);
  });

const passwordNote =
  "The password is read from standard input, or from the environment variable PASSWORD.";

const disabledNote =
  "The account is disabled, so it can't sign in. Enable it under People in the back office.";

export const list: Command = {
  name: "npm run admin -- list",
  summary: "Lists the accounts of the back office.",
  examples: ["npm run admin -- list"],
  run: (config) =>
    withAccounts(config, async (accounts) => {
      for (const user of await accounts.list(commandLine)) {
        const { email, name, createdAt } = user;
        say(`${email}\t${accountRoleOf(user)}\t${name}\t${createdAt.toISOString()}`);
      }
    }),
};

export const create: Command = {
  name: "npm run admin -- create",
  summary: "Creates an account, by default with the role ADMIN. The first account becomes OWNER.",
  args: ["EMAIL"],
  options: { ...roleOption, name: { value: "NAME", help: "name shown to other users" } },
  examples: ["npm run admin -- create someone@example.com --role EDITOR"],
  notes: [passwordNote],
  async run(config, given) {
    const [email, role, name = ""] = [emailOf(given), roleOf(given), given.values["name"]];
    await withAccounts(config, async (accounts) => {
      const password = await readPassword();
      const account = { email, password, name, role: role ?? "ADMIN" };
      const user = await accounts.create(account, commandLine);
      say(`Created ${user.email} with the role ${accountRoleOf(user)}.`);
    });
  },
};

export const setRole: Command = {
  name: "npm run admin -- set-role",
  summary: "Changes the role of an account and signs it out everywhere.",
  args: ["EMAIL"],
  options: { role: { ...roleOption.role, required: true } },
  examples: ["npm run admin -- set-role someone@example.com --role EDITOR"],
  async run(config, given) {
    const [email, role] = [emailOf(given), roleOf(given)];
    if (role === null) throw new UsageError(`--role: use one of ${accountRoles.join(", ")}.`);
    await withAccounts(config, async (accounts) => {
      await accounts.setRole(email, role, commandLine);
      say(`${email} now has the role ${role} and is signed out everywhere.`);
    });
  },
};

export const resetPassword: Command = {
  name: "npm run admin -- reset-password",
  summary: "Sets a new password, signs the account out everywhere and clears its sign-in limits.",
  args: ["EMAIL"],
  examples: ["npm run admin -- reset-password someone@example.com"],
  notes: [passwordNote],
  async run(config, given) {
    const email = emailOf(given);
    await withAccounts(config, async (accounts) => {
      const done = await accounts.resetPassword(email, await readPassword(), commandLine);
      say(`Changed the password of ${email} and signed it out everywhere.`);
      if (done.isDisabled) say(disabledNote);
    });
  },
};

export const resetTwoFactor: Command = {
  name: "npm run admin -- reset-two-factor",
  summary: "Removes the authenticator app and passkeys of an account and signs it out everywhere.",
  args: ["EMAIL"],
  examples: ["npm run admin -- reset-two-factor someone@example.com"],
  async run(config, given) {
    const email = emailOf(given);
    await withAccounts(config, async (accounts) => {
      const { isDisabled } = await accounts.resetSecondFactors(email, commandLine);
      say(`${email} now signs in with the password alone and is signed out everywhere.`);
      if (isDisabled) say(disabledNote);
    });
  },
};

export const remove: Command = {
  name: "npm run admin -- remove",
  summary: "Removes an account and signs it out everywhere.",
  args: ["EMAIL"],
  examples: ["npm run admin -- remove someone@example.com"],
  async run(config, given) {
    const email = emailOf(given);
    await withAccounts(config, async (accounts) => {
      await accounts.remove(email, commandLine);
      say(`Removed ${email} and signed it out everywhere.`);
    });
  },
};

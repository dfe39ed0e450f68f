import { createInterface } from "node:readline/promises";
import { passwordRule, roles } from "../contract/auth.ts";
import { ConfigError, readConfig } from "./config.ts";
import { createDb, createPool } from "./db/connection.ts";
import { startEngine } from "./db/engine/engine.ts";
import { migrateToLatest } from "./db/migrate.ts";
import { getSecret } from "./db/secrets.ts";
import { createAuthService, type AuthService } from "./features/auth/auth.service.ts";
import { AppError } from "./lib/app-error.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { systemClock } from "./lib/clock.ts";
import { createLogger } from "./lib/logger.ts";

const usage = `Usage:
  npm run admin -- list
  npm run admin -- create EMAIL [--role ADMIN|USER] [--name NAME]
  npm run admin -- reset-password EMAIL

The password is read from standard input, or from the environment variable PASSWORD.`;

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

async function perform(auth: AuthService, args: string[]): Promise<void> {
  const wanted = option(args, "role") ?? "ADMIN";
  const role = roles.find((known) => known === wanted);
  if (role === undefined) throw new UsageError(`--role: give one of ${roles.join(", ")}.`);
  const name = option(args, "name") ?? "";
  const [command, email] = args;
  if (command === "list") {
    for (const user of await auth.listUsers()) {
      say(`${user.email}\t${user.role}\t${user.name}\t${user.createdAt.toISOString()}`);
    }
    return;
  }
  if (email === undefined || !email.includes("@")) throw new UsageError(usage);
  if (command === "create") {
    const user = await auth.createUser({ email, password: await readPassword(), name, role });
    say(`Created ${user.email} with the role ${user.role}.`);
  } else if (command === "reset-password") {
    await auth.resetPassword(email, await readPassword());
    say(`The password of ${email} is changed; all its sessions are ended.`);
  } else throw new UsageError(usage);
}

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  if (!["list", "create", "reset-password"].includes(args[0] ?? "")) throw new UsageError(usage);
  const config = readConfig(process.env);
  const logger = createLogger("error");
  const engine =
    config.databaseUrl === null ? await startEngine({ dataDir: config.dataDir, logger }) : null;
  const target = engine?.target ?? { connectionString: config.databaseUrl ?? "" };
  const db = createDb(createPool(target, 2, logger));
  try {
    await migrateToLatest(db);
    const secret = await getSecret(db, "cookies");
    await perform(createAuthService({ db, clock: systemClock, secret }), args);
  } finally {
    await db.destroy();
    await engine?.stop();
  }
}

run().catch((error: unknown) => {
  const isExpected =
    error instanceof UsageError || error instanceof AppError || error instanceof OperatorError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});

import type { Config } from "#server/config.ts";
import { OperatorError } from "#server/lib/app-error.ts";
import { checkServer, UnreachableError, type ServerFacts } from "./check-server.ts";

/**
 * Checks every configured database address.
 * @throws OperatorError in one line that contains the faulty variable.
 */
export async function checkDatabases(config: Config): Promise<void> {
  if (config.databaseUrl === null) return;
  const main = await checkServer(config.databaseUrl);
  if (config.databaseListenUrl !== null) await checkListenUrl(config.databaseListenUrl, main);
  if (config.databaseReadUrl !== null) await checkReadUrl(config.databaseReadUrl, main);
}

/**
 * Checks the replica. The site starts even if the replica doesn't respond, because reads then use
 * the primary.
 */
async function checkReadUrl(url: string, main: ServerFacts): Promise<void> {
  const variable = "DATABASE_READ_URL";
  const facts = await checkServer(url, variable, true).catch((error: unknown) => {
    if (error instanceof UnreachableError) return null;
    throw error;
  });
  if (facts !== null && facts.identity !== main.identity) {
    throw new OperatorError(
      `${variable}: points to a different database than DATABASE_URL. Use the address of a replica of that database.`,
    );
  }
}

async function checkListenUrl(url: string, main: ServerFacts): Promise<void> {
  const { identity } = await checkServer(url, "DATABASE_LISTEN_URL");
  if (identity !== main.identity) {
    throw new OperatorError(
      "DATABASE_LISTEN_URL: points to a different database than DATABASE_URL. Use the direct address of that database.",
    );
  }
}

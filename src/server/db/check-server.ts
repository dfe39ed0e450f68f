import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { codeOf, OperatorError } from "#server/lib/app-error.ts";

/** First and last version that the tests run on. */
const oldestMajor = 15;
const newestMajor = 18;
const neededExtensions = ["pg_trgm", "unaccent"];

/** Command that creates a suitable database. */
export const createdb = "createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 NAME";

/** Short enough that a start with a wrong address fails before the operator gives up. */
const defaultTimeoutMs = 3000;
const startingUpPauseMs = 250;

export interface ServerFacts {
  version: number;
  /** Includes the database name. A server and its replicas have the same identity. */
  identity: string;
  encoding: string;
  /** False in locales such as C, which only changes ASCII letters, and in Turkish ones. */
  lowersLetters: boolean;
  /** True before the first migration. */
  isNew: boolean;
  isReplica: boolean;
  canCreate: boolean;
  missing: string[];
}

/**
 * SQL that tests whether `lower()` works for all letters in the database's locale. It tries À, Ж and
 * I. They are given as numbers, because a letter that the encoding lacks would be an error.
 */
export const lowersLettersSql = `
  coalesce((select bool_and(lower(chr(capital)) = chr(small))
    from (values (192, 224), (1046, 1078), (73, 105)) as letters (capital, small)
    where current_setting('server_encoding') = 'UTF8'), true)`;

/** `pgboss` is the schema of the job queue. It exists once a start has succeeded. */
const readFacts = `
  select current_setting('server_version_num')::int as version,
    (select system_identifier from pg_control_system()) || ' ' || current_database() as identity,
    current_setting('server_encoding') as encoding,
    ${lowersLettersSql} as "lowersLetters",
    to_regclass('kysely_migration') is null and to_regnamespace('pgboss') is null as "isNew",
    pg_is_in_recovery() as "isReplica",
    to_regnamespace('pgboss') is not null
      or has_database_privilege(current_database(), 'create')
      and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreate",
    array(select name from unnest($1::text[]) as name
      where name not in (select name from pg_available_extensions)) as missing`;

/** Error for an address that doesn't respond now but may respond later. */
export class UnreachableError extends OperatorError {}

/**
 * Checks that a server is reachable and suitable.
 * @param variable name of the variable that contains the address.
 * @param allowsReplica true if the site only reads from the server.
 * @throws OperatorError in one line that contains the variable but no password.
 */
export async function checkServer(
  url: string,
  variable = "DATABASE_URL",
  allowsReplica = false,
): Promise<ServerFacts> {
  const facts = await readVideoFacts(url, variable);
  const isReadOnly = facts.isReplica && allowsReplica;
  const problem = findProblem(isReadOnly ? { ...facts, isReplica: false, canCreate: true } : facts);
  if (problem !== null) throw new OperatorError(`${variable}: ${problem}`);
  return facts;
}

/** Returns the timeout. As in every PostgreSQL client, the address can set it. */
function timeoutOf(url: string): number {
  const [, seconds] = /[?&]connect_timeout=(\d{1,4})(&|$)/.exec(url) ?? [];
  return seconds === undefined ? defaultTimeoutMs : Number(seconds) * 1000;
}

async function readVideoFacts(url: string, variable: string): Promise<ServerFacts> {
  const timeoutMs = timeoutOf(url);
  const until = performance.now() + timeoutMs;
  for (;;) {
    let client: pg.Client;
    try {
      client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
        application_name: "kinora",
      });
    } catch (error) {
      throw new OperatorError(
        `${variable}: the value can't be read (${reasonOf(error, url)}). Use postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.`,
      );
    }
    // A broken connection rejects its pending queries.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<ServerFacts>(readFacts, [neededExtensions]);
      if (rows[0] === undefined) throw new Error("it returns no rows");
      await client.end();
      return rows[0];
    } catch (error) {
      // The server is still starting, perhaps together with this program.
      if (codeOf(error) !== "57P03" || performance.now() > until) {
        throw explain(error, client, variable);
      }
      await wait(startingUpPauseMs);
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

function findProblem({ version, ...facts }: ServerFacts): string | null {
  const major = Math.floor(version / 10_000);
  if (major < oldestMajor || major > newestMajor) {
    return `the server is PostgreSQL ${major}. Use version ${oldestMajor} to ${newestMajor}.`;
  }
  if (facts.isReplica) return "the server is a read-only replica. Use its primary.";
  if (facts.encoding !== "UTF8") {
    return `the database uses the encoding ${facts.encoding}. Create one with: ${createdb}`;
  }
  // Existing sites start. The doctor warns about them.
  if (facts.isNew && !facts.lowersLetters) {
    return `the database's locale doesn't change all letters to lower case, so searches would miss words. Create one with: ${createdb}`;
  }
  if (facts.missing.length > 0) {
    return `the server lacks the extensions ${facts.missing.join(" and ")}. Install PostgreSQL's contrib package there.`;
  }
  if (!facts.canCreate) {
    return "the user may not create schemas and tables. Make it the owner of the database.";
  }
  return null;
}

/** Returns one line without the address, because the address contains the password. */
function reasonOf(error: unknown, url = ""): string {
  const text = error instanceof Error ? error.message || (codeOf(error) ?? "") : String(error);
  const line = text.split("\n")[0] ?? "";
  return url !== "" && line.includes(url) ? codeOf(error) || "invalid" : line;
}

function explain(
  error: unknown,
  { host, port, database, user }: pg.Client,
  variable: string,
): OperatorError {
  const code = codeOf(error) ?? "";
  const reason = reasonOf(error);
  const at = host.startsWith("/") ? host : `${host}:${port}`;
  const refuse = (text: string) => new OperatorError(`${variable}: ${text}`, { cause: error });
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return refuse(
      `the host "${host}" can't be resolved. Check its spelling and the DNS of this machine.`,
    );
  }
  if (/client password must be a (non-empty )?string/.test(reason)) {
    return refuse(
      `the server at ${at} requires a password for the user "${user}", and the address has none. Add one, or set PGPASSWORD.`,
    );
  }
  if (code === "28P01" || code === "28000" || reason.startsWith("SASL")) {
    return refuse(
      `the server at ${at} refuses the user "${user}" (${reason}); give a user and a password that it accepts.`,
    );
  }
  if (code === "3D000") {
    return refuse(
      `the server at ${at} has no database "${database}". Create it, or use another name.`,
    );
  }
  if (/CERT|_TLS_|SIGNATURE/.test(code)) {
    return refuse(
      `the certificate of the server at ${at} can't be verified (${reason}). Add sslrootcert with the file of its CA.`,
    );
  }
  if (reason.includes("does not support SSL")) {
    return refuse(
      `the server at ${at} doesn't support TLS. Enable it there, or remove sslmode from the address.`,
    );
  }
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E")) {
    return refuse(`the server at ${at} cannot be used (${reason}).`);
  }
  return new UnreachableError(
    `${variable}: no PostgreSQL responds at ${at} (${reason}). Use the address of a running server.`,
    { cause: error },
  );
}

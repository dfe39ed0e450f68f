import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkServer } from "#server/db/check-server.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { createLogger } from "#server/lib/logger.ts";
import { isRoot, serviceUser } from "../harness/daemon.ts";
import { startPostgres, type Postgres } from "../harness/postgres.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";

let folder: string;
let postgres: Postgres;
/** Self-signed certificate of the server. */
let ca: string;
beforeAll(async () => {
  folder = await makeServiceRoot("tls");
  postgres = await startPostgres(join(folder, "postgres"));
  ca = join(folder, "server.crt");
});
afterAll(async () => {
  await postgres.daemon.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

async function turnOn(): Promise<void> {
  const key = join(folder, "server.key");
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-keyout", key, "-out", ca, "-days", "2", "-subj", "/CN=localhost"],
      ...["-addext", "subjectAltName=DNS:localhost"],
    ],
    { stdio: "ignore" },
  );
  chmodSync(key, 0o600);
  if (isRoot) chownSync(key, serviceUser, serviceUser);
  await postgres.query(`alter system set ssl_cert_file = '${ca}'`);
  await postgres.query(`alter system set ssl_key_file = '${key}'`);
  await postgres.query("alter system set ssl = on");
  await postgres.query("select pg_reload_conf()");
  await vi.waitFor(
    async () => expect(await postgres.query("show ssl")).toEqual([{ ssl: "on" }]),
    60_000,
  );
}

/** Returns the URL with a mode and the host name of the certificate. */
const withMode = (mode: string) => `${postgres.url.replace("127.0.0.1", "localhost")}?${mode}`;
const check = (url: string) => checkServer(`${url}&connect_timeout=60`);

async function isEncrypted(url: string): Promise<boolean | undefined> {
  const db = createDb(createPool({ connectionString: url }, 1, createLogger("error")));
  try {
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]?.ssl;
  } finally {
    await db.destroy();
  }
}

test("encrypts and checks according to each TLS mode, and names the variable in an error", async () => {
  const verified = () => withMode(`sslmode=verify-full&sslrootcert=${ca}`);
  await expect(check(withMode("sslmode=no-verify"))).rejects.toThrow(
    /^DATABASE_URL: the server at localhost:\d+ doesn't support TLS/,
  );
  await turnOn();
  await check(verified());
  expect(await isEncrypted(verified())).toBe(true);
  expect(await isEncrypted(withMode("sslmode=no-verify"))).toBe(true);
  expect(await isEncrypted(postgres.url)).toBe(false);

  const refused =
    /^DATABASE_URL: the certificate of the server at .* can't be verified \(.*sslrootcert with the file of its CA\.$/;
  await expect(check(withMode("sslmode=verify-full"))).rejects.toThrow(refused);
  await expect(check(withMode("sslmode=require"))).rejects.toThrow(refused);
  // The certificate is for another name.
  const byAddress = verified().replace("localhost", "127.0.0.1");
  await expect(check(byAddress)).rejects.toThrow(refused);
  await expect(check(withMode("sslmode=verify-full&sslrootcert=/absent"))).rejects.toThrow(
    /^DATABASE_URL: the value can't be read \(ENOENT/,
  );
});

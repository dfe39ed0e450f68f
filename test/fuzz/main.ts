import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDb, createPool } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { createLogger } from "#server/lib/logger.ts";
import { root, startSite, type Site } from "../harness/server-process.ts";
import { runFuzz, type Identity } from "./run-fuzz.ts";
import { seedSite, type SeededSite } from "./seed-site.ts";

const identities: readonly Identity[] = ["visitor", "admin"];

/** Fills a data folder before the server runs on it. */
async function fillDataFolder(dataDir: string): Promise<SeededSite> {
  const logger = createLogger("error");
  const engine = await startEngine({ dataDir, logger, isDurable: false });
  const db = createDb(createPool(engine.target, 4, logger));
  try {
    await migrateToLatest(db);
    return await seedSite(db);
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

/**
 * Fuzzes a separate site as one identity.
 * @returns true if no defect was found.
 */
async function fuzzAs(identity: Identity, calls: number, seed: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-fuzz-"));
  const logged: string[] = [];
  let server: Site | null = null;
  try {
    const site = await fillDataFolder(dataDir);
    server = await startSite({
      dataDir,
      // Every call comes from a different address. Write limits are off, because they would hide
      // other results.
      env: { TRUST_PROXY: "127.0.0.1", WRITE_LIMITS: "0", LOG_LEVEL: "error" },
      onOutput: (text) => logged.push(...text.split("\n").filter((line) => line.startsWith("{"))),
    });
    const startedAt = performance.now();
    const report = await runFuzz({
      url: server.url,
      identity,
      calls,
      seed,
      site,
      signIn: server.signIn,
      secrets: [dataDir, root],
      onProgress: (done) => {
        if (done % 5000 === 0) process.stdout.write(`${done} calls\n`);
      },
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const statuses = [...report.statuses].toSorted(([a], [b]) => a - b);
    process.stdout.write(
      `${identity}: ${calls} calls in ${seconds} s, seed ${seed}: ` +
        `${statuses.map(([status, count]) => `${status} x ${count}`).join(", ")}\n` +
        `never successful: ${report.neverSucceeded.join(", ")}\n`,
    );
    for (const { problems, count, repeat, received } of report.findings) {
      process.stdout.write(`\n${count} x ${problems.join("\n")}\n${repeat}\n${received}\n`);
    }
    for (const line of logged) process.stdout.write(`\nerror in the log: ${line}\n`);
    return report.findings.length === 0 && logged.length === 0;
  } finally {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** `npm run fuzz:api -- --calls N --seed S --as visitor|admin`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: "string", default: "50000" },
      seed: { type: "string", default: String(randomInt(1_000_000)) },
      as: { type: "string" },
    },
  });
  const [calls, seed] = [Number(values.calls), Number(values.seed)];
  const chosen = identities.filter((name) => values.as === undefined || values.as === name);
  if (!(calls > 0) || !Number.isSafeInteger(seed) || chosen.length === 0) {
    process.stdout.write("npm run fuzz:api -- --calls N --seed S --as visitor|admin\n");
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`seed ${seed}\n`);
  for (const identity of chosen) {
    if (!(await fuzzAs(identity, calls, seed))) process.exitCode = 1;
  }
}

await main();

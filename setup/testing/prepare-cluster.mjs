import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "../install/chromium.mjs";
import { canInstall, ensureClusterTools } from "../install/cluster-tools.mjs";
import { SetupError, say } from "../process/say.mjs";
import { ensureBuild } from "../web-build.mjs";

/**
 * Prepares the cluster tests: PostgreSQL 15, PgBouncer, nginx and an S3 server, on free loopback
 * ports. Tests whose programs are missing are skipped. That is an error only if we could have
 * installed them.
 * @returns arguments and variables for Vitest, and a function that removes leftovers.
 */
export async function prepareCluster() {
  const missing = await ensureClusterTools();
  const skipped = new Set(missing.flatMap(({ tests }) => tests));
  const chromium = await findChromium();
  if (chromium === null) skipped.add("redirects-in-browser").add("hot-reload");
  const names = missing.map(({ name }) => name);
  if (skipped.size > 0) {
    const install = `apt-get install --no-install-recommends ${names.join(" ")}`;
    const how = names.length === 0 ? "" : ` To run them: ${install}`;
    say(`Skipped, since programs are missing: ${[...skipped].toSorted().join(", ")}.${how}`);
    if (canInstall()) process.exitCode = 1;
  }
  await ensureBuild();
  // All leftovers are in one folder, so they can be removed even after an interruption.
  const temporary = mkdtempSync(join(tmpdir(), "kinora-cluster-"));
  // Servers that run as other users have folders in it.
  chmodSync(temporary, 0o711);
  return {
    args: [...skipped].map((name) => `--exclude=**/${name}.cluster.ts`),
    env: { ...chromium, TMPDIR: temporary },
    clean: () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }),
  };
}

async function findChromium() {
  try {
    return { CHROMIUM_PATH: await ensureChromium() };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return null;
  }
}

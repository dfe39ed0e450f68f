import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./install/chromium.mjs";
import { canInstall, ensureClusterTools } from "./install/cluster-tools.mjs";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { root } from "./process/paths.mjs";
import { SetupError, runMain, say } from "./process/say.mjs";
import { runVitest } from "./testing/run-vitest.mjs";
import { ensureBuild } from "./web-build.mjs";

const suffix = ".cluster.ts";
const folder = join(root, "test/cluster");

/**
 * `npm run test:cluster`: several nodes with PostgreSQL 15, PgBouncer, nginx and an S3 server, on
 * free loopback ports. Arguments go to Vitest. Tests whose programs are missing are skipped. That
 * is an error only if we could have installed them.
 */
await runMain(async () => {
  await ensurePackages({ needsDev: true });
  const missing = await ensureClusterTools();
  const skipped = new Set(missing.flatMap(({ tests }) => tests));
  const chromium = await findChromium();
  if (chromium === null) skipped.add("redirects-in-browser").add("hot-reload");
  const names = missing.map(({ name }) => name);
  if (skipped.size > 0) {
    const install = `apt-get install --no-install-recommends ${names.join(" ")}`;
    const how = names.length === 0 ? "" : ` To run them: ${install}`;
    say(`Skipped, since programs are missing: ${[...skipped].toSorted().join(", ")}.${how}`);
  }
  const failure = canInstall() && skipped.size > 0 ? 1 : 0;
  const all = readdirSync(folder).filter((name) => name.endsWith(suffix));
  if (all.every((name) => skipped.has(name.slice(0, -suffix.length)))) return failure;

  const mediaTools = await ensureMediaTools();
  await ensureBuild();
  // All leftovers are in one folder, so they can be removed even after an interruption.
  const temporary = mkdtempSync(join(tmpdir(), "kinora-cluster-"));
  // Servers that run as other users have folders in it.
  chmodSync(temporary, 0o711);
  try {
    const exclude = [...skipped].map((name) => `--exclude=**/${name}${suffix}`);
    const args = [...exclude, ...process.argv.slice(2)];
    const env = { ...mediaTools, ...chromium, TMPDIR: temporary };
    return (await runVitest({ projects: ["cluster"], args }, env)) || failure;
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  }
});

async function findChromium() {
  try {
    return { CHROMIUM_PATH: await ensureChromium() };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return null;
  }
}

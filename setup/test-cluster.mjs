import { ensureChromium } from "./install/chromium.mjs";
import { ensureClusterTools } from "./install/cluster-tools.mjs";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { runMain, say } from "./process/say.mjs";
import { runVitest } from "./testing/run-vitest.mjs";
import { ensureBuild } from "./web-build.mjs";

/**
 * `npm run test:cluster`: several nodes with PostgreSQL 15, PgBouncer, nginx and an S3 server, on free
 * loopback ports. Arguments go to Vitest. Where the programs are missing and we may not install them,
 * the tests are skipped.
 */
await runMain(async () => {
  await ensurePackages({ needsDev: true });
  const missing = await ensureClusterTools();
  if (missing !== null) {
    say(`The cluster tests are skipped. ${missing}`);
    return process.getuid?.() === 0 ? 1 : 0;
  }
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  const chromium = { CHROMIUM_PATH: await ensureChromium() };
  await ensureBuild();
  const tools = { ...mediaTools, ...chromium };
  return runVitest({ projects: ["cluster"], args: process.argv.slice(2) }, tools);
});

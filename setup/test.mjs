import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { compileCache, modulesDir, root } from "./process/paths.mjs";
import { runServer } from "./process/run-server.mjs";
import { SetupError, runMain } from "./process/say.mjs";
import { prepareCluster } from "./testing/prepare-cluster.mjs";

const quick = ["unit*", "smoke*"];
const rest = ["long", "e2e", "engines"];
/** Projects of vitest.config.ts that each command runs. */
const tiers = {
  quick,
  rest,
  all: [...quick, ...rest],
  cluster: ["cluster"],
  nightly: ["nightly*"],
};

const leftOut =
  "Not included: all other long and browser tests (npm run test:rest), tests of several nodes (npm run test:cluster) and unlimited ones (npm run test:nightly).";

/**
 * `node setup/test.mjs TIER ARGS`: installs what is missing and runs the tests of a tier. All
 * arguments go to Vitest. `npm test` with a file or folder also looks for tests of `test:rest`.
 */
await runMain(async () => {
  const [tier, ...args] = process.argv.slice(2);
  if (tiers[tier] === undefined) {
    throw new SetupError(`Name a tier: ${Object.keys(tiers).join(", ")}.`);
  }
  await ensurePackages({ needsDev: true });
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  const cluster = tier === "cluster" ? await prepareCluster() : undefined;
  const hasPath = args.some((arg) => existsSync(join(root, arg)));
  const projects = tiers[tier === "quick" && hasPath ? "all" : tier];
  const hasProject = args.some((arg) => arg.startsWith("--project"));
  const vitest = [join(modulesDir, "vitest", "vitest.mjs"), "run"];
  if (!hasProject) vitest.push(...projects.map((name) => `--project=${name}`));
  vitest.push(...(cluster?.args ?? []), ...args);
  const env = { ...process.env, ...mediaTools, ...cluster?.env, ...compileCache, NODE_ENV: "test" };
  if (tier === "quick" && args.length === 0) env.TEST_NOTES = leftOut;
  try {
    return (await runServer(findNode(), vitest, { cwd: root, env })) || process.exitCode;
  } finally {
    cluster?.clean();
  }
});

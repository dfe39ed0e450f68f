import { availableParallelism } from "node:os";
import { join } from "node:path";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { modulesDir, root } from "./process/paths.mjs";
import { runTool } from "./process/run-tool.mjs";
import { SetupError, runMain, say } from "./process/say.mjs";
import { ensureBuild } from "./web-build.mjs";

const tool = (name) => join(modulesDir, name);
const firstLoad = "scripts of the first load";
/**
 * Returns the arguments that type-check one part. The compiler saves its state, so that later runs
 * only check changes.
 */
const types = (part) => [
  tool("typescript/bin/tsc"),
  ...["-p", `tsconfig.${part}.json`],
  ...["--incremental", "--tsBuildInfoFile", join(modulesDir, `.cache/types-${part}`)],
];
const checks = [
  ["types of the server", ...types("server")],
  ["types of the web part", ...types("web")],
  ["types of end-to-end tests and benches", ...types("e2e")],
  ["lint", tool("oxlint/bin/oxlint"), "--deny-warnings"],
  ["formatting", tool("oxfmt/bin/oxfmt"), "--check"],
  ["source rules", join(root, "setup/checks/check-sources.ts")],
  ["words", join(root, "setup/checks/words.ts")],
  ["plain English", join(root, "setup/checks/plain-english.ts")],
  ["unused code", tool("knip/bin/knip.js"), "--no-progress"],
  ["third-party notices", join(root, "setup/checks/notices.ts"), "--check"],
  ["types of texts", join(root, "setup/checks/text-types.ts"), "--check"],
  ["page of roles", join(root, "setup/checks/roles-page.ts"), "--check"],
  ["page of variables", join(root, "setup/checks/config-page.ts"), "--check"],
  ["links of documents", join(root, "setup/checks/doc-links.ts")],
  ["released migrations", join(root, "setup/checks/released-migrations.ts"), "--check"],
  [firstLoad, join(root, "setup/checks/script-budget.ts")],
];

/**
 * `npm run check`: all checks that don't run the program. `npm run check -- lint format` runs those
 * whose names contain one of the words.
 */
await runMain(async () => {
  const words = process.argv.slice(2);
  const chosen = checks.filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (chosen.length === 0) {
    const names = checks.map(([name]) => name).join(", ");
    throw new SetupError(`No check has this name. Available checks: ${names}.`);
  }
  await ensurePackages({ needsDev: true });
  if (chosen.some(([name]) => name === firstLoad)) await ensureBuild();
  let hasFailed = false;
  const next = chosen[Symbol.iterator]();
  const runChecks = async () => {
    for (const [name, ...args] of next) {
      const { code, output } = await runTool(findNode(), args, { cwd: root });
      say(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
      if (code === 0) continue;
      hasFailed = true;
      process.stdout.write(output.trimEnd() + "\n");
      if (name === "formatting") say("Run: npm run format");
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runChecks));
  return hasFailed ? 1 : 0;
});

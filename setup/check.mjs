import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readProcessArguments } from "../src/server/lib/command-line.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { modulesDir, root } from "./process/paths.mjs";
import { runTool } from "./process/run-tool.mjs";
import { SetupError, runMain, say } from "./process/say.mjs";
import { ensureBuild } from "./web-build.mjs";

const tool = (name) => join(modulesDir, name);
const script = (name, ...args) => [join(root, "setup/checks", name), ...args];
const firstLoad = "scripts of the first load";
/** Commands of each check, the slowest check first. */
const checks = {
  lint: [[tool("oxlint/bin/oxlint"), "--deny-warnings"]],
  types: [
    [
      ...[tool("typescript/bin/tsc"), "--build"],
      ...["server", "web", "e2e"].map((part) => `tsconfig.${part}.json`),
    ],
  ],
  "unused code": [[tool("knip/bin/knip.js"), "--no-progress"]],
  [firstLoad]: [script("script-budget.ts")],
  formatting: [[tool("oxfmt/bin/oxfmt"), "--check"]],
  "generated files": ["text-types.ts", "roles-page.ts", "config-page.ts", "database-types.ts"].map(
    (name) => script(name, "--check"),
  ),
  "sides in styles": [script("physical-sides.ts")],
  "links of documents": [script("doc-links.ts")],
  "released migrations": [script("released-migrations.ts", "--check")],
};

const syntax = {
  name: "npm run check",
  summary: "Runs all checks that don't run the program, or those whose names contain a word.",
  args: ["WORD..."],
  examples: ["npm run check", "npm run check -- lint format"],
  notes: [`Checks: ${Object.keys(checks).join(", ")}.`],
};

/**
 * `npm run check`: all checks that don't run the program. `npm run check -- lint format` runs those
 * whose names contain one of the words.
 */
const { args: words } = readProcessArguments(syntax);
await runMain(async () => {
  const chosen = Object.entries(checks).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (chosen.length === 0) {
    const names = Object.keys(checks).join(", ");
    throw new SetupError(`No check has this name. Available checks: ${names}.`);
  }
  await ensurePackages({ needsDev: true });
  if (chosen.some(([name]) => name === firstLoad)) await ensureBuild();
  let hasFailed = false;
  const next = chosen[Symbol.iterator]();
  const runChecks = async () => {
    for (const [name, commands] of next) {
      let failure = "";
      for (const args of commands) {
        const { code, output } = await runTool(findNode(), args, { cwd: root });
        if (code !== 0) failure += `${output.trimEnd()}\n`;
      }
      say(`${failure === "" ? "ok    " : "FAILED"} ${name}`);
      if (failure === "") continue;
      hasFailed = true;
      process.stdout.write(failure);
      if (name === "formatting") say("Run: npm run format");
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runChecks));
  return hasFailed ? 1 : 0;
});

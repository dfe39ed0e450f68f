import { join } from "node:path";
import { findNode } from "./node-runtime.mjs";
import { ensurePackages } from "./packages.mjs";
import { modulesDir, root } from "./paths.mjs";
import { runTool } from "./run-tool.mjs";
import { runMain, say } from "./say.mjs";
import { ensureBuild } from "./web-build.mjs";

const tool = (name) => join(modulesDir, name);
const checks = [
  ["types of the server", tool("typescript/bin/tsc"), "-p", "tsconfig.server.json"],
  ["types of the web part", tool("typescript/bin/tsc"), "-p", "tsconfig.web.json"],
  ["types of journeys and benches", tool("typescript/bin/tsc"), "-p", "tsconfig.e2e.json"],
  ["lint", tool("oxlint/bin/oxlint"), "--deny-warnings"],
  ["formatting", tool("oxfmt/bin/oxfmt"), "--check"],
  ["import rules", join(root, "setup", "check-house.ts")],
  ["scripts of the first load", join(root, "setup", "script-budget.ts")],
];

/** `npm run check`: everything that can be told without running the program. */
await runMain(async () => {
  await ensurePackages({ needsDev: true });
  await ensureBuild();
  let hasFailed = false;
  for (const [name, ...args] of checks) {
    const { code, output } = await runTool(findNode(), args, { cwd: root });
    say(`${code === 0 ? "ok    " : "FAILED"} ${name}`);
    if (code === 0) continue;
    hasFailed = true;
    process.stdout.write(output.trimEnd() + "\n");
  }
  return hasFailed ? 1 : 0;
});

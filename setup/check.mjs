import { join } from "node:path";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { modulesDir, root } from "./process/paths.mjs";
import { runTool } from "./process/run-tool.mjs";
import { runMain, say } from "./process/say.mjs";
import { ensureBuild } from "./web-build.mjs";

const tool = (name) => join(modulesDir, name);
const checks = [
  ["types of the server", tool("typescript/bin/tsc"), "-p", "tsconfig.server.json"],
  ["types of the web part", tool("typescript/bin/tsc"), "-p", "tsconfig.web.json"],
  ["types of end-to-end tests and benches", tool("typescript/bin/tsc"), "-p", "tsconfig.e2e.json"],
  ["lint", tool("oxlint/bin/oxlint"), "--deny-warnings"],
  ["formatting", tool("oxfmt/bin/oxfmt"), "--check"],
  ["source rules", join(root, "setup/checks/check-sources.ts")],
  ["words", join(root, "setup/checks/words.ts")],
  ["unused code", tool("knip/bin/knip.js"), "--no-progress"],
  ["third-party notices", join(root, "setup/checks/notices.ts"), "--check"],
  ["page of roles", join(root, "setup/checks/roles-page.ts"), "--check"],
  ["scripts of the first load", join(root, "setup/checks/script-budget.ts")],
];

/** `npm run check`: all checks that do not run the program. */
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

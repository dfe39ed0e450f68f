import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./install/chromium.mjs";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { compileCache, modulesDir, root } from "./process/paths.mjs";
import { runServer } from "./process/run-server.mjs";
import { SetupError, runMain } from "./process/say.mjs";
import { selectTests } from "./testing/select-tests.mjs";
import { readTotals } from "./testing/test-totals.mjs";
import { ensureBuild } from "./web-build.mjs";

/** `npm test`: installs what is missing and runs the tests; see selectTests for the arguments. */
await runMain(async () => {
  const selected = selectTests(process.argv.slice(2));
  await ensurePackages({ needsDev: true });
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  const needsBrowser = selected.projects.includes("e2e");
  const chromium = needsBrowser ? { CHROMIUM_PATH: await ensureChromium() } : {};
  await ensureBuild();

  const reports = mkdtempSync(join(tmpdir(), "kinora-report-"));
  try {
    const report = join(reports, "report.json");
    const tools = { ...mediaTools, ...chromium, ...compileCache };
    const env = { ...process.env, ...tools, NODE_ENV: "test" };
    const code = await runServer(findNode(), vitestArgs(selected, report), { cwd: root, env });
    if (code >= 128) return code;
    const text = existsSync(report) ? readFileSync(report, "utf8") : null;
    const { passed, failed, skipped } = readTotals(text, code);
    if (passed + failed + skipped === 0) throw new SetupError("No test matches the arguments.");
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    return failed > 0 ? 1 : 0;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});

function vitestArgs({ projects, args }, report) {
  return [
    join(modulesDir, "vitest", "vitest.mjs"),
    "run",
    // `unit` has parts, named `unit-*`.
    ...projects.map((name) => `--project=${name}*`),
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ];
}

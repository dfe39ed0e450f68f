import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { ensureMediaTools } from "./media-tools.mjs";
import { findNode } from "./node-runtime.mjs";
import { ensurePackages } from "./packages.mjs";
import { modulesDir, root } from "./paths.mjs";
import { runServer } from "./run-server.mjs";
import { SetupError, runMain } from "./say.mjs";
import { readTotals } from "./test-totals.mjs";
import { ensureBuild } from "./web-build.mjs";

// ffmpeg, PostgreSQL and Chromium work beside the test processes: more of them only wait.
const unitWorkers = Math.max(2, Math.floor(availableParallelism() / 2));
const journeyWorkers = Math.max(2, Math.floor(availableParallelism() / 2));

/** `npm test`: sets up what is missing and runs every test; arguments choose some of them. */
await runMain(async () => {
  await ensurePackages({ needsDev: true });
  const mediaTools = await ensureMediaTools();
  const chromium = await ensureChromium();
  await ensureBuild();

  const env = {
    ...process.env,
    ...mediaTools,
    CHROMIUM_PATH: chromium,
    NODE_ENV: "test",
  };
  const reports = mkdtempSync(join(tmpdir(), "kinora-report-"));
  const totals = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const [project, workers] of [
      ["unit", unitWorkers],
      ["e2e", journeyWorkers],
    ]) {
      const report = join(reports, `${project}.json`);
      const code = await runServer(findNode(), vitestArgs(project, workers, report), {
        cwd: root,
        env,
      });
      if (code >= 128) return code;
      const found = readTotals(existsSync(report) ? readFileSync(report, "utf8") : null, code);
      for (const key of Object.keys(totals)) totals[key] += found[key];
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  if (totals.passed + totals.failed + totals.skipped === 0) {
    throw new SetupError("No test matches what was asked for.");
  }
  process.stdout.write(
    `\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`,
  );
  return totals.failed > 0 ? 1 : 0;
});

function vitestArgs(project, workers, report) {
  return [
    join(modulesDir, "vitest", "vitest.mjs"),
    "run",
    `--project=${project}`,
    `--maxWorkers=${workers}`,
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ];
}

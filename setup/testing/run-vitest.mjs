import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNode } from "../install/node-runtime.mjs";
import { compileCache, modulesDir, root } from "../process/paths.mjs";
import { runServer } from "../process/run-server.mjs";
import { SetupError } from "../process/say.mjs";
import { readTotals } from "./test-totals.mjs";

/**
 * Runs Vitest and prints the number of passed tests.
 * @param selected projects, and arguments for Vitest.
 * @param tools variables that name installed tools.
 * @returns the exit code.
 */
export async function runVitest({ projects, args }, tools) {
  const reports = mkdtempSync(join(tmpdir(), "kinora-report-"));
  try {
    const report = join(reports, "report.json");
    const env = { ...process.env, ...tools, ...compileCache, NODE_ENV: "test" };
    const code = await runServer(findNode(), vitestArgs(projects, args, report), {
      cwd: root,
      env,
    });
    if (code >= 128) return code;
    const text = existsSync(report) ? readFileSync(report, "utf8") : null;
    const { passed, failed, skipped } = readTotals(text, code);
    if (passed + failed + skipped === 0) throw new SetupError("No test matches the arguments.");
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    return failed > 0 ? 1 : 0;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

function vitestArgs(projects, args, report) {
  return [
    join(modulesDir, "vitest", "vitest.mjs"),
    "run",
    // `unit` has parts named `unit-*`.
    ...projects.map((name) => `--project=${name}*`),
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ];
}

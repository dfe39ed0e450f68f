import { ensureBrowserEngines } from "../install/browser-engines.mjs";
import { ensureChromium } from "../install/chromium.mjs";
import { SetupError } from "../process/say.mjs";

/**
 * Vitest's global set-up of the projects that need browsers: finds or installs them. Without
 * Chromium, test/browser-runner.ts skips the tests, which is an error in continuous integration.
 */
export async function setup(project) {
  const isNamed = Boolean(process.env.CHROMIUM_PATH);
  try {
    process.env.CHROMIUM_PATH = await ensureChromium();
  } catch (error) {
    if (isNamed || !(error instanceof SetupError)) throw error;
    process.env.TEST_NOTES = [error.message, process.env.TEST_NOTES].filter(Boolean).join("\n");
    if (process.env.CI === "true") process.exitCode = 1;
    return;
  }
  if (["engines", "nightly-browser"].includes(project.name))
    Object.assign(process.env, await ensureBrowserEngines());
}

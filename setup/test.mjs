import { ensureBrowserEngines } from "./install/browser-engines.mjs";
import { ensureChromium } from "./install/chromium.mjs";
import { ensureMediaTools } from "./install/media-tools.mjs";
import { ensurePackages } from "./install/packages.mjs";
import { ensureSandboxTools } from "./install/sandbox-tools.mjs";
import { runMain } from "./process/say.mjs";
import { runVitest } from "./testing/run-vitest.mjs";
import { selectTests } from "./testing/select-tests.mjs";

/**
 * `npm test`: installs what is missing and runs the tests; see selectTests for the arguments. Tests
 * that open pages build them when they need them.
 */
await runMain(async () => {
  const selected = selectTests(process.argv.slice(2));
  await ensurePackages({ needsDev: true });
  const mediaTools = await ensureMediaTools();
  await ensureSandboxTools();
  const needsBrowser = selected.projects.includes("e2e");
  const browsers = needsBrowser
    ? { CHROMIUM_PATH: await ensureChromium(), ...(await ensureBrowserEngines()) }
    : {};
  return runVitest(selected, { ...mediaTools, ...browsers });
});

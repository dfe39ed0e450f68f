import { join } from "node:path";
import { installDebianPackages } from "./debian-package.mjs";
import { findOnPath, isExecutable } from "./find-program.mjs";
import { findNode } from "./node-runtime.mjs";
import { modulesDir } from "../process/paths.mjs";
import { runTool } from "../process/run-tool.mjs";
import { SetupError, say } from "../process/say.mjs";

// The headless shell has no browser interface, which makes the tests a quarter faster.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const playwright = join(modulesDir, "playwright-core");

/**
 * Returns the path of a Chromium for the browser tests: a configured, found or newly installed one.
 */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new SetupError(`CHROMIUM_PATH: "${named}" is not a program that can be run.`);
  }
  const found = await find();
  if (found !== null) return found;
  for (const name of ["chromium-headless-shell", "chromium"]) {
    if (!(await installDebianPackages([name]))) continue;
    const installed = await find();
    if (installed !== null) return installed;
  }
  say("Downloading Chromium… (once, about 150 MB)");
  await runTool(findNode(), [join(playwright, "cli.js"), "install", "chromium"]);
  const downloaded = await findDownloaded();
  if (downloaded !== null) return downloaded;
  throw new SetupError(
    "Couldn't install Chromium, which the browser tests need. Install it with your package manager (for example: apt install chromium), or set CHROMIUM_PATH.",
  );
}

async function find() {
  return names.map(findOnPath).find((path) => path !== null) ?? (await findDownloaded());
}

/** Returns the browser that Playwright has downloaded, if there is one and it runs here. */
async function findDownloaded() {
  const ask = `import { chromium } from "playwright-core"; console.log(chromium.executablePath())`;
  const { code, output } = await runTool(findNode(), ["--input-type=module", "-e", ask], {
    cwd: modulesDir,
  });
  const path = output.trim();
  if (code !== 0 || !isExecutable(path)) return null;
  const { code: runs } = await runTool(path, ["--version"]);
  return runs === 0 ? path : null;
}

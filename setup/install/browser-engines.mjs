import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installDebianPackages } from "./debian-package.mjs";
import { findOnPath } from "./find-program.mjs";
import { say } from "../process/say.mjs";

const foldersIn = (path) =>
  (existsSync(path) ? readdirSync(path) : []).map((name) => join(path, name));

/**
 * Finds the newest MiniBrowser of WebKitGTK in `/usr/lib/SYSTEM/webkit2gtk-4.N`, or returns null.
 */
const findMiniBrowser = () =>
  foldersIn("/usr/lib")
    .filter((path) => /-linux-/.test(path))
    .flatMap(foldersIn)
    .filter((path) => /\/webkit2gtk-4\.[^/]*$/.test(path))
    .map((path) => join(path, "MiniBrowser"))
    .filter((path) => existsSync(path))
    .toSorted()
    .at(-1) ?? null;

/**
 * Programs with the environment variables that pass them to the tests, and their Debian packages.
 * WebKit decodes H.264 and AAC with libav.
 */
const engines = [
  {
    name: "Firefox",
    packages: ["firefox-esr"],
    find: () => ({ FIREFOX_PATH: findOnPath("firefox-esr") ?? findOnPath("firefox") }),
  },
  {
    name: "WebKit",
    packages: ["webkit2gtk-driver", "gstreamer1.0-libav", "xvfb"],
    find: () => ({
      WEBKIT_DRIVER_PATH: findOnPath("WebKitWebDriver"),
      MINI_BROWSER_PATH: findMiniBrowser(),
      XVFB_PATH: findOnPath("Xvfb"),
    }),
  },
];

const isComplete = (found) => Object.values(found).every((path) => path !== null);

/**
 * Finds Firefox and WebKit for the tests in three engines, or installs them if we are root on
 * Debian.
 * @returns variables that name the programs. If an engine is missing, its variables are absent and
 * its tests are skipped.
 */
export async function ensureBrowserEngines() {
  const paths = {};
  for (const { name, packages, find } of engines) {
    let found = find();
    if (!isComplete(found) && (await installDebianPackages(packages))) found = find();
    if (isComplete(found)) Object.assign(paths, found);
    else say(`${name} is not installed; its tests are skipped. Install ${packages.join(" and ")}.`);
  }
  return paths;
}

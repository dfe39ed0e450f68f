import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock-file.mjs";
import { machine } from "./node-runtime.mjs";
import { modulesDir, root } from "../process/paths.mjs";
import { reasonLines, runNpm } from "../process/run-tool.mjs";
import { SetupError, say } from "../process/say.mjs";

const lockPath = join(root, "package-lock.json");
const stampPath = join(modulesDir, ".kinora-packages");
const currentText = (path) => (existsSync(path) ? readFileSync(path, "utf8") : null);

/**
 * Makes node_modules match package-lock.json. Installs only if something changed. Otherwise it
 * takes a few milliseconds.
 * @param needsDev true if the packages for tests and checks are needed, too.
 */
export async function ensurePackages({ needsDev = false } = {}) {
  if (isCurrent(needsDev)) return;
  await withLock(join(root, ".packages.lock"), "installing packages", async () => {
    if (isCurrent(needsDev)) return;
    // The packages may already be right, for example after a manual npm ci.
    if (isFromOtherMachine() || !isInstalled(needsDev)) await install();
    if (!isInstalled(false)) {
      throw new SetupError("The packages were installed, but some are missing. Run: npm ci");
    }
    // Compilers notice other versions by their dates, which npm sets to 1985.
    rmSync(join(modulesDir, ".cache"), { recursive: true, force: true });
    writeFileSync(stampPath, stamp(isInstalled(true)));
  });
}

function stamp(hasDev) {
  const hash = createHash("sha256").update(readFileSync(lockPath)).digest("hex");
  return `${hash} ${hasDev ? "all" : "production"} ${machine}\n`;
}

/**
 * Returns whether the packages were installed for another system, processor or C library, for
 * example before this folder was copied. npm doesn't record the C library.
 */
function isFromOtherMachine() {
  // Stamps of older versions end before the machine.
  const stamped = currentText(stampPath)?.trim().split(" ")[2];
  return stamped !== undefined && stamped !== machine;
}

function isCurrent(needsDev) {
  const found = currentText(stampPath);
  return found === stamp(true) || (!needsDev && found === stamp(false));
}

async function install() {
  say("Installing packages… (once, about half a minute)");
  const flags = ["--include=dev", "--include=optional"];
  const clean = await runNpm(["ci", ...flags], root);
  if (clean.code === 0) return;
  if (/ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(clean.output)) giveUp(clean.output);
  say(`npm ci did not succeed, trying npm install:\n${reasonLines(clean.output, 3)}`);
  const lenient = await runNpm(["install", "--no-save", ...flags], root);
  if (lenient.code !== 0) giveUp(lenient.output);
}

function giveUp(output) {
  throw new SetupError(
    `Couldn't install the packages. Is this machine online?\n${reasonLines(output)}`,
  );
}

/** Compares npm's record of installed packages with package-lock.json, for this platform. */
function isInstalled(needsDev) {
  const hiddenText = currentText(join(modulesDir, ".package-lock.json"));
  if (hiddenText === null) return false;
  const wanted = JSON.parse(readFileSync(lockPath, "utf8")).packages;
  const found = JSON.parse(hiddenText).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.link === true) return true;
    if (!needsDev && (entry.dev === true || entry.devOptional === true)) return true;
    const isHere = found[path]?.version === entry.version && existsSync(join(root, path));
    return isHere || (entry.optional === true && !isForThisPlatform(entry));
  });
}

/**
 * Returns whether an optional package is for exactly this system and processor, and therefore
 * required.
 */
function isForThisPlatform({ os, cpu, libc }) {
  // npm picks the C library, and a package without a system only helps another optional package.
  // Both may be missing.
  if (os === undefined || libc !== undefined) return false;
  return os.includes(process.platform) && (cpu === undefined || cpu.includes(process.arch));
}

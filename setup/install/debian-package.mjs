import { findOnPath } from "./find-program.mjs";
import { reasonLines, runTool } from "../process/run-tool.mjs";
import { say } from "../process/say.mjs";

const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };

/** The update of the package lists, once per process. */
let listsUpdate = null;

/**
 * Installs Debian packages if this is a Debian-based system and we are root. Prints a line or two
 * if it can't.
 * @returns whether they are installed now.
 */
export async function installDebianPackages(names) {
  const name = names.join(" ");
  if (process.getuid?.() !== 0 || findOnPath("apt-get") === null) return false;
  say(`Installing ${name} with apt-get… (once, a minute or two)`);
  // The package lists may be old or missing. Without a network, the install may still find a cached
  // copy.
  await (listsUpdate ??= withoutLockTrouble(["update", "-qq"]));
  const options = ["-y", "-qq", "--no-install-recommends", "-o", "Dpkg::Use-Pty=0"];
  const result = await withoutLockTrouble(["install", ...options, ...names]);
  if (result.code === 0) return true;
  say(`apt-get could not install ${name}:\n${reasonLines(result.output, 3)}`);
  return false;
}

/** Waits if another package manager is running, which can take minutes on a fresh server. */
async function withoutLockTrouble(args) {
  const deadline = Date.now() + 5 * 60_000;
  for (let hasNotified = false; ; hasNotified = true) {
    const result = await runTool("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], { env });
    const isLocked = /could not get lock|is another process using it/i.test(result.output);
    if (result.code === 0 || !isLocked || Date.now() > deadline) return result;
    if (!hasNotified) say("Waiting for another package manager to finish…");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

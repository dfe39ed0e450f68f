import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installDebianPackages } from "./debian-package.mjs";
import { findOnPath } from "./find-program.mjs";
import { modulesDir } from "../process/paths.mjs";

/** Records a failed attempt, because each one takes seconds and a start must not repeat it. */
const attemptPath = join(modulesDir, ".kinora-bubblewrap");

/**
 * Installs bubblewrap, the strongest sandbox for the media tools, if it is missing and we are root
 * on Debian. Otherwise the server uses the available sandbox and reports it. Never fails.
 */
export async function ensureSandboxTools() {
  if (process.platform !== "linux" || findOnPath("bwrap") !== null) return;
  if (process.getuid?.() !== 0 || existsSync(attemptPath)) return;
  if (await installDebianPackages(["bubblewrap"])) return;
  try {
    writeFileSync(attemptPath, "Couldn't install bubblewrap. Delete this file to try again.\n");
  } catch {
    // The folder is read-only, so the next start tries again.
  }
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isExecutable, remember, remembered } from "./find-program.mjs";
import { modulesDir } from "../process/paths.mjs";
import { SetupError } from "../process/say.mjs";

/** The first version that Kinora runs on. */
const neededMajor = 24;

const isMusl =
  process.platform === "linux" && !("glibcVersionRuntime" in process.report.getReport().header);
/** System, processor and a C library other than glibc, such as `linux-x64-musl`. */
export const machine = `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;

/**
 * Returns the path of the Node.js that runs Kinora. That is the pinned package, or where that
 * doesn't run, the current one if it is new enough.
 */
export function findNode(version = process.versions.node) {
  // There is a package for glibc only, and only for some systems and processors.
  const pinned = join(modulesDir, `node-${machine}`, "bin", "node");
  if (isExecutable(pinned) && runs(pinned)) return pinned;
  if (Number.parseInt(version, 10) >= neededMajor) return process.execPath;
  throw new SetupError(
    `Kinora needs Node.js ${neededMajor}, but this is v${version}, and the Node.js that Kinora installs doesn't run on this system (${machine}). Install Node.js ${neededMajor} from your distribution or https://nodejs.org and try again.`,
  );
}

/** Returns false if the system has no loader for the program, like NixOS, or an older glibc. */
function runs(path) {
  if (remembered("node", path) === null) return true;
  if (spawnSync(path, ["--version"], { stdio: "ignore" }).status !== 0) return false;
  remember("node", path, null);
  return true;
}

import { join } from "node:path";
import { isExecutable } from "./find-program.mjs";
import { modulesDir } from "../process/paths.mjs";
import { SetupError } from "../process/say.mjs";

/** The first version that Kinora runs on. */
const neededMajor = 24;

/**
 * Returns the path of the Node.js that runs Kinora. That is the pinned package, or where that
 * doesn't run, the current one if it is new enough.
 */
export function findNode(version = process.versions.node) {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = join(modulesDir, `node-${platform}`, "bin", "node");
  // The package is built for glibc. Alpine, for example, has musl instead.
  const canRun =
    process.platform !== "linux" || "glibcVersionRuntime" in process.report.getReport().header;
  if (canRun && isExecutable(pinned)) return pinned;
  if (Number.parseInt(version, 10) >= neededMajor) return process.execPath;
  throw new SetupError(
    `Kinora runs on Node.js ${neededMajor}, which has no package for ${platform}${canRun ? "" : " without glibc"}, and this is v${version}. Install Node.js ${neededMajor} from https://nodejs.org and try again.`,
  );
}

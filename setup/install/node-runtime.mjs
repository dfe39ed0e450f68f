import { join } from "node:path";
import { isExecutable } from "./find-program.mjs";
import { modulesDir } from "../process/paths.mjs";
import { SetupError } from "../process/say.mjs";

/** The first version that Kinora runs on. */
const neededMajor = 24;

/**
 * Returns the path of the Node.js that runs Kinora. That is the pinned package, or on other
 * platforms the current one if it is new enough.
 */
export function findNode() {
  const pinned = join(modulesDir, `node-${process.platform}-${process.arch}`, "bin", "node");
  if (isExecutable(pinned)) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= neededMajor) return process.execPath;
  throw new SetupError(
    `Kinora runs on Node.js ${neededMajor}, which has no package for ${process.platform}-${process.arch}, and this is ${process.version}. Install Node.js ${neededMajor} from https://nodejs.org and try again.`,
  );
}

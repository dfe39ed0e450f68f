import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrokenHouseRules } from "./house-rules.ts";

/** Prints what breaks the rules of this house; the exit code says whether anything does. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const broken = findBrokenHouseRules(root);
for (const line of broken) console.log(line);
process.exitCode = broken.length > 0 ? 1 : 0;

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrokenSourceRules } from "./source-rules.ts";

/** Prints every broken source rule; exits with 1 if there is one. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const broken = findBrokenSourceRules(root);
for (const line of broken) console.log(line);
process.exitCode = broken.length > 0 ? 1 : 0;

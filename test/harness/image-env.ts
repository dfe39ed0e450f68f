import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./server-process.ts";

/** Returns the environment variables that the container image sets. */
export function readImageEnv(): Record<string, string> {
  const file = readFileSync(join(root, "deploy/container/Containerfile"), "utf8");
  const pairs = Array.from(file.matchAll(/^ENV (.*)$/gm), ([, line = ""]) =>
    Array.from(line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g), ([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );
  return Object.fromEntries(pairs.flat());
}

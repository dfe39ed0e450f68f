import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the full path of a program on PATH, or null. */
export function findOnPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((dir) => dir !== "");
  return folders.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

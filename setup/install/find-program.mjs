import { accessSync, constants, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { modulesDir } from "../process/paths.mjs";

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

const memoryPath = join(modulesDir, ".kinora-checked-tools");

/** Returns the identity of a file. At least one of its values differs after a change. */
function fingerprint(name, path) {
  const info = statSync(path, { throwIfNoEntry: false });
  return info === undefined ? null : `${name} ${path} ${info.ino} ${info.size} ${info.mtimeMs}`;
}

function readMemory() {
  try {
    return JSON.parse(readFileSync(memoryPath, "utf8"));
  } catch {
    return {};
  }
}

/**
 * Returns the problem of a program that was run before, null if it had none, or undefined if the
 * program is new or has changed.
 */
export function remembered(name, path) {
  const key = fingerprint(name, path);
  return key === null ? undefined : readMemory()[key];
}

/**
 * Remembers a result, because running a program for its version takes longer than the rest of a
 * warm start.
 */
export function remember(name, path, problem) {
  const key = fingerprint(name, path);
  if (key === null) return;
  try {
    writeFileSync(memoryPath, JSON.stringify({ ...readMemory(), [key]: problem }));
  } catch {
    // The folder is read-only, so the program runs again next time.
  }
}

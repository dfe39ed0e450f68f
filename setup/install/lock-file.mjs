import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { say } from "../process/say.mjs";

/**
 * Holds a lock file while `work` runs, so that two commands in one folder don't install or build at
 * the same time. If the process that holds a lock is dead, takes the lock over.
 */
export async function withLock(path, what, work) {
  let hasNotified = false;
  while (!take(path)) {
    if (isAbandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!hasNotified) say(`Waiting for another process that is ${what}…`);
    hasNotified = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => {
    if (holder(path) === process.pid) rmSync(path, { force: true });
  };
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return false;
}

function isAbandoned(path) {
  const pid = holder(path);
  // This process id is in a file written by an earlier process, because restarted containers reuse
  // ids.
  if (pid !== null) return pid === process.pid || !isAlive(pid);
  // An empty file may be one that another process is just writing.
  const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return ageMs > 5_000;
}

function holder(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

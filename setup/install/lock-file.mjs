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
    if (!hasNotified) {
      say(`Waiting for another process that is ${what}… If there is none, delete ${path}.`);
    }
    hasNotified = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => {
    if (holder(path)?.pid === process.pid) rmSync(path, { force: true });
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
    writeFileSync(path, `${process.pid} ${startTimeOf(process.pid)}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return false;
}

function isAbandoned(path) {
  const found = holder(path);
  if (found !== null) {
    const started = startTimeOf(found.pid);
    // After a restart of the machine or container, another process may have this process id.
    if (found.started !== "" && started !== "") return found.started !== started;
    return found.pid === process.pid || !isAlive(found.pid);
  }
  // An empty file may be one that another process is just writing.
  const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return ageMs > 5_000;
}

function holder(path) {
  try {
    const [pid, started = ""] = readFileSync(path, "utf8").split(" ");
    return Number(pid) > 0 ? { pid: Number(pid), started } : null;
  } catch {
    return null;
  }
}

/** Returns the clock ticks between boot and the start of a process, or "" if they are unknown. */
function startTimeOf(pid) {
  try {
    // The name in brackets may contain anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[19];
  } catch {
    return "";
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

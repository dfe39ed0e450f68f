import { execFile } from "node:child_process";
import { readFile, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode } from "#server/lib/app-error.ts";

/** State of a running server, from `postmaster.pid`. */
export interface PostmasterFile {
  pid: number;
  socketDir: string;
  status: "starting" | "ready" | "stopping" | "unknown";
}

export function postmasterPath(clusterDir: string): string {
  return join(clusterDir, "postmaster.pid");
}

/** Parses `postmaster.pid`. Returns null while the file is being written. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const status = (lines[7] ?? "").trim();
  return {
    pid,
    socketDir: (lines[4] ?? "").trim(),
    status:
      status === "starting" || status === "ready" || status === "stopping" ? status : "unknown",
  };
}

export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | null> {
  try {
    return parsePostmasterFile(await readFile(postmasterPath(clusterDir), "utf8"));
  } catch {
    return null;
  }
}

/** Returns whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/**
 * Returns whether this process is PostgreSQL on this cluster. The id alone proves nothing, because
 * another process may have it after a restart of the machine or container.
 */
export async function isClusterServer(pid: number, clusterDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const cluster = await realpath(clusterDir).catch(() => clusterDir);
  if (process.platform === "linux") {
    const [folder, name] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => null),
      readFile(`/proc/${pid}/comm`, "utf8").catch(() => ""),
    ]);
    return folder === cluster && name.trim() === "postgres";
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(
    () => ({ stdout: "" }),
  );
  return stdout.includes("postgres") && (stdout.includes(cluster) || stdout.includes(clusterDir));
}

/** Returns the ids of all PostgreSQL processes on this cluster, including backends. Linux only. */
export async function listClusterServers(clusterDir: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
  const checks = await Promise.all(pids.map((pid) => isClusterServer(pid, clusterDir)));
  return pids.filter((_, index) => checks[index] === true);
}

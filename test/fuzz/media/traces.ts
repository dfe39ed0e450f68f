import { readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { listDescendants } from "../../harness/process-tree.ts";

/** State of a server outside its database. Uploads must not change it. */
export interface Traces {
  /** Files in its data folder, except those of the database. */
  files: string[];
  /** Programs that the server has started, except those of the database. */
  programs: string[];
  /** Open files in its data folder. */
  openFiles: string[];
  /** Open connections to its port. */
  connections: number;
}

/** Reads the state. Linux only, because it reads /proc. */
export async function readTraces(site: {
  pid: number;
  dataDir: string;
  url: string;
}): Promise<Traces> {
  const storage = join(site.dataDir, "storage");
  const [files, programs, openFiles, connections] = await Promise.all([
    listFiles(storage),
    listPrograms(site.pid),
    listOpenFiles(site.pid, storage),
    countConnections(Number(new URL(site.url).port)),
  ]);
  return { files, programs, openFiles, connections };
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Lists the command lines of a process's descendants. */
async function listPrograms(pid: number): Promise<string[]> {
  const programs = await listDescendants(pid);
  return programs
    .filter(({ name }) => name !== "postgres")
    .map(({ command }) => command)
    .toSorted();
}

async function listOpenFiles(pid: number, folder: string): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")),
  );
  return targets.filter((target) => target.startsWith(folder)).toSorted();
}

const established = "01";

async function countConnections(port: number): Promise<number> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return tables
    .join("\n")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(suffix) && state === established).length;
}

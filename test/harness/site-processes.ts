import { readdirSync, readFileSync } from "node:fs";

interface SiteProcess {
  pid: number;
  kind: "alone" | "primary" | "web" | "jobs";
}

function read(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the Node.js processes of a site, given the id of its first process. */
export function listSiteProcesses(pid: number): SiteProcess[] {
  const children = readdirSync("/proc").flatMap((name): SiteProcess[] => {
    if (!/^\d+$/.test(name)) return [];
    const [, parent] = read(name, "stat").split(") ").at(-1)?.split(" ") ?? [];
    if (Number(parent) !== pid) return [];
    const variables = read(name, "environ").split("\0");
    if (!variables.some((variable) => variable.startsWith("NODE_UNIQUE_ID="))) return [];
    return [{ pid: Number(name), kind: variables.includes("ROLE=web") ? "web" : "jobs" }];
  });
  return [{ pid, kind: children.length === 0 ? "alone" : "primary" }, ...children];
}

/** Returns the proportional memory (PSS) of a process in MB. */
export function memoryMb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
}

import { readFile } from "node:fs/promises";
import { maxProcesses } from "./sandbox/limit-command.ts";

/** Resources used by a process and its children so far. */
export interface ProcessUsage {
  /** User and system time of all threads. */
  cpuS: number;
  /** Highest resident memory so far. */
  peakRssBytes: number;
  /** Resident memory now. */
  rssBytes: number;
  /** Highest address space of one process so far, as counted by RLIMIT_AS. */
  peakAddressBytes: number;
  /** Current number of processes and threads. */
  tasks: number;
}

/** Linux reports processor time to user space in ticks of 1/100 s on every architecture. */
const ticksPerS = 100;

/**
 * Sums up a process and its descendants, because the sandbox starts the media tool as a grandchild.
 * Reads /proc. Returns null without /proc or after the process has ended.
 */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | null> {
  const total: ProcessUsage = {
    cpuS: 0,
    peakRssBytes: 0,
    rssBytes: 0,
    peakAddressBytes: 0,
    tasks: 0,
  };
  const pids = [pid];
  let count = 0;
  for (const each of pids) {
    const used = await readOne(each);
    if (used === null) continue;
    count += 1;
    total.cpuS += used.cpuS;
    total.rssBytes += used.rssBytes;
    total.tasks += used.tasks;
    total.peakRssBytes += used.peakRssBytes;
    total.peakAddressBytes = Math.max(total.peakAddressBytes, used.peakAddressBytes);
    if (pids.length <= maxProcesses) pids.push(...used.children);
  }
  return count === 0 ? null : total;
}

async function readOne(pid: number): Promise<(ProcessUsage & { children: number[] }) | null> {
  try {
    const [line, status, children] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/status`, "utf8"),
      // Missing on kernels without checkpoint support.
      readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""),
    ]);
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    // utime, stime, and the same for ended children
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return {
      cpuS: ticks / ticksPerS,
      peakRssBytes: kilobytes(status, "VmHWM") * 1024,
      rssBytes: kilobytes(status, "VmRSS") * 1024,
      tasks: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1),
      peakAddressBytes: kilobytes(status, "VmPeak") * 1024,
      children: children
        .trim()
        .split(/\s+/)
        .map(Number)
        .filter((child) => child > 0),
    };
  } catch {
    return null;
  }
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
}

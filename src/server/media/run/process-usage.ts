import { readFile } from "node:fs/promises";
import { maxProcesses } from "./sandbox/limit-command.ts";

/** What a process and its children have used so far. */
export interface ProcessUsage {
  /** User and system time of all threads. */
  cpuS: number;
  /** Highest resident memory so far. */
  peakRssBytes: number;
  /** Resident memory now. */
  rssBytes: number;
  /** Highest address space of one process so far, which is what RLIMIT_AS counts. */
  peakAddressBytes: number;
  /** Processes and threads now. */
  tasks: number;
}

/** Linux reports processor time in ticks of 1/100 s to user space on every architecture. */
const ticksPerS = 100;

/**
 * Sums a process and its descendants: the sandbox starts the media tool as a grandchild. Reads /proc;
 * null where there is none or the process has ended.
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
      // Absent on kernels without checkpoint support.
      readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""),
    ]);
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    // utime, stime, and the same of children that have ended
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

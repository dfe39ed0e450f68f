import { readFile } from "node:fs/promises";

/** What a running process has used so far. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  cpuS: number;
  /** Highest resident memory so far. */
  peakRssBytes: number;
  /** Resident memory now. */
  rssBytes: number;
  /** Highest address space so far, which is what RLIMIT_AS counts. */
  peakAddressBytes: number;
}

/** Linux reports processor time in ticks of 1/100 s to user space on every architecture. */
const ticksPerS = 100;

/** Reads /proc; null where there is none or the process has ended. */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | null> {
  try {
    const [line, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/status`, "utf8"),
    ]);
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return {
      cpuS: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerS,
      peakRssBytes: kilobytes(status, "VmHWM") * 1024,
      rssBytes: kilobytes(status, "VmRSS") * 1024,
      peakAddressBytes: kilobytes(status, "VmPeak") * 1024,
    };
  } catch {
    return null;
  }
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
}

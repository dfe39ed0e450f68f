import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Clock ticks per second, the kernel's unit of CPU time. */
const ticksPerS = 100;

interface ProcessTimes {
  parent: number;
  ownMs: number;
  /** CPU time of child processes that have ended. */
  endedMs: number;
}

function readTimes(pid: number | string): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields after the name, which can contain any characters: state, parent, ...
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ms = (at: number) => (Number(fields[at]) * 1000) / ticksPerS;
    return { parent: Number(fields[1]), ownMs: ms(11) + ms(12), endedMs: ms(13) + ms(14) };
  } catch {
    return null;
  }
}

/** Returns the CPU time of a process, user and system, in ms. */
export function cpuMs(pid: number): number {
  return readTimes(pid)?.ownMs ?? 0;
}

/** Returns the CPU time in ms of programs that this process started and that have ended. */
export function endedCpuMs(): number {
  return readTimes(process.pid)?.endedMs ?? 0;
}

/** Returns the CPU time of a PostgreSQL server with all its processes, including ended ones. */
export function databaseCpuMs(dataDir: string): number {
  const file = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  const postmaster = Number(file.split("\n")[0]);
  const own = readTimes(postmaster);
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const times = readTimes(pid);
      return times?.parent === postmaster ? [times.ownMs] : [];
    });
  return (own?.ownMs ?? 0) + (own?.endedMs ?? 0) + children.reduce((sum, ms) => sum + ms, 0);
}

import { readFileSync } from "node:fs";
import { runsWell } from "./trial.ts";

/** Limits enforced by the kernel. */
export interface ProcessLimits {
  /** Address space (RLIMIT_AS), which includes reserved memory that is never used. */
  addressSpaceBytes: number;
  /** Processor time of all threads together (RLIMIT_CPU). */
  cpuS: number;
  /** Size of the largest file (RLIMIT_FSIZE). The runner also compares the total size with it. */
  outputBytes: number;
}

/** Maximum number of processes and threads of one run. */
export const maxProcesses = 1024;
/**
 * Maximum number of the media user's processes and threads. All runs of a machine share it if the
 * kernel counts per user. It only stops fork bombs, because the runner checks each run against
 * `maxProcesses`.
 */
export const maxSharedProcesses = 8192;

export type LimitCommand = (
  limits: ProcessLimits,
  command: string[],
  /** Limit for processes and threads (RLIMIT_NPROC); null for none. */
  processes: number | null,
) => string[];

/**
 * Finds the program that sets limits and then executes the media tool: prlimit if available,
 * otherwise the shell.
 */
export async function findLimitCommand(): Promise<LimitCommand> {
  const hasPrlimit = await runsWell(["prlimit", "--core=0", "--nofile=256", "true"]);
  const hardLimit = readHardLimit("Max processes");
  return (limits, command, processes) => {
    const cpuS = Math.max(1, Math.ceil(limits.cpuS));
    if (hasPrlimit) {
      return [
        "prlimit",
        `--as=${Math.ceil(limits.addressSpaceBytes)}`,
        `--cpu=${cpuS}:${cpuS + 5}`,
        `--fsize=${Math.ceil(limits.outputBytes)}`,
        ...(processes === null ? [] : [`--nproc=${Math.min(processes, hardLimit)}`]),
        "--core=0",
        "--nofile=256",
        ...command,
      ];
    }
    const script = [
      `ulimit -c 0; ulimit -t ${cpuS}; ulimit -f ${Math.ceil(limits.outputBytes / 512)}`,
      `ulimit -v ${Math.ceil(limits.addressSpaceBytes / 1024)} 2>/dev/null; exec "$@"`,
    ];
    return ["sh", "-c", script.join("; "), "sh", ...command];
  };
}

/** Reads the hard limit, because limits can only be lowered. */
function readHardLimit(name: string): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const hard = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, "m").exec(limits)?.[1];
    return hard === undefined ? Infinity : Number(hard);
  } catch {
    return Infinity;
  }
}

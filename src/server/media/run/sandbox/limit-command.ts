import { readFileSync } from "node:fs";
import { runsWell } from "./trial.ts";

/** Limits that the kernel enforces. */
export interface ProcessLimits {
  /** Address space (RLIMIT_AS), which includes memory that is reserved and never used. */
  addressSpaceBytes: number;
  /** Processor time of all threads together (RLIMIT_CPU). */
  cpuS: number;
  /** Largest file (RLIMIT_FSIZE); the runner also compares the sum of all files with it. */
  outputBytes: number;
}

/** Processes and threads of one run. */
export const maxProcesses = 1024;
/**
 * Processes and threads of the media user, which all runs of a machine share where the kernel counts by
 * user. It only stops a fork bomb: the runner compares each run with `maxProcesses`.
 */
export const maxSharedProcesses = 8192;

export type LimitCommand = (
  limits: ProcessLimits,
  command: string[],
  /** Limit for processes and threads (RLIMIT_NPROC); null sets none. */
  processes: number | null,
) => string[];

/** The program that sets limits and then becomes the media tool: prlimit, or else the shell. */
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

/** A limit may only be lowered. */
function readHardLimit(name: string): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const hard = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, "m").exec(limits)?.[1];
    return hard === undefined ? Infinity : Number(hard);
  } catch {
    return Infinity;
  }
}

import { readFile } from "node:fs/promises";

/** Processor time in seconds. */
export interface CpuTimes {
  /** CPU time of the whole machine. */
  machineS: number;
  /** CPU time of the server's own threads, without its database and media tools. */
  serverS: number;
  /** CPU time of the measuring process. */
  benchS: number;
}

const ticksPerS = 100;
const sum = (ticks: string[]): number =>
  ticks.reduce((total, each) => total + Number(each), 0) / ticksPerS;

/** @param since earlier reading to subtract. */
export async function readCpuTimes(pid: number, since?: CpuTimes): Promise<CpuTimes> {
  const [machine, server] = await Promise.all([
    readFile("/proc/stat", "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ]);
  // User, nice, system; then idle and waiting; then interrupts.
  const [user = "", nice = "", system = "", , , ...interrupts] = machine
    .slice(0, machine.indexOf("\n"))
    .split(/\s+/)
    .slice(1, 8);
  const own = server.slice(server.lastIndexOf(")") + 2).split(" ");
  const bench = process.cpuUsage();
  return {
    machineS: sum([user, nice, system, ...interrupts]) - (since?.machineS ?? 0),
    serverS: sum(own.slice(11, 13)) - (since?.serverS ?? 0),
    benchS: (bench.user + bench.system) / 1e6 - (since?.benchS ?? 0),
  };
}

/** Connections shared by all web processes of a machine, in addition to the smallest pools. */
const shared = 40;
const min = 7;
const max = 16;

/**
 * Returns the number of database connections of one process, given the number of web processes.
 * Each process has one more for the job queue, and the job process has 22. So 8 web processes use
 * 86 of PostgreSQL's default 97.
 */
export function databasePoolSize(webProcesses: number): number {
  return Math.max(min, Math.min(max, Math.floor(shared / webProcesses)));
}

/** Returns the maximum number of connections of one machine's processes. */
export const machineConnections = (webProcesses: number): number =>
  webProcesses === 1 ? 22 : webProcesses * (databasePoolSize(webProcesses) + 1) + 22;

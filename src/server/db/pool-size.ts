/** What all web processes of one machine may use together beyond the smallest pools. */
const shared = 40;
const min = 7;
const max = 16;

/**
 * Connections of one process to the database, by the number of web processes. Each has one more for
 * the job queue, and the process that runs jobs has 22, so that 8 web processes use 86 of the 97
 * connections that PostgreSQL has by default.
 */
export function poolSizeOf(webProcesses: number): number {
  return Math.max(min, Math.min(max, Math.floor(shared / webProcesses)));
}

/** All connections that the processes of one machine open at most. */
export const connectionsOf = (webProcesses: number): number =>
  webProcesses === 1 ? 22 : webProcesses * (poolSizeOf(webProcesses) + 1) + 22;

import cluster from "node:cluster";

/** Message from a child that is ready. */
export const readyMessage = "ready";

/**
 * Returns true in the first process that the program starts. That process prints addresses and
 * creates the admin.
 */
export const isFirstProcess = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

/** Returns this process's name, which is unique on its machine. */
export const processName = ({ role }: { role: string }): string =>
  cluster.worker === undefined ? role : `${role}-${cluster.worker.id}`;

/** Notifies the primary process, if there is one, that this process is ready. */
export function reportReady(): void {
  // Without a primary process, this process ends by itself.
  cluster.worker?.send(readyMessage, () => undefined);
}

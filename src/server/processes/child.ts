import cluster from "node:cluster";

/** What a child sends when it does its work. */
export const readyMessage = "ready";

/** True in the process that the program starts first: it prints addresses and creates the admin. */
export const isFirstProcess = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

/** The name of this process among those of its machine. */
export const processName = ({ role }: { role: string }): string =>
  cluster.worker === undefined ? role : `${role}-${cluster.worker.id}`;

/** Tells the primary process, if there is one, that this process does its work. */
export function reportReady(): void {
  // Without a primary process this one ends by itself.
  cluster.worker?.send(readyMessage, () => undefined);
}

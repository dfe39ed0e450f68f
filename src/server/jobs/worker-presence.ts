import type { Db } from "#server/db/connection.ts";
import { newId } from "#server/lib/ids.ts";
import type { AnyJobDefinition } from "./job-definition.ts";
import { deleteWorker, saveWorker } from "./workers.repository.ts";

const everyMs = 10_000;

export interface Presence {
  stop(): Promise<void>;
}

/** Tells other processes that this one runs jobs, and how many of each kind at once. */
export async function startPresence(db: Db, jobs: readonly AnyJobDefinition[]): Promise<Presence> {
  const id = newId();
  const lanes = Object.fromEntries(jobs.map(({ name, concurrency }) => [name, concurrency]));
  // Without a database no process looks.
  const save = () => saveWorker(db, id, lanes).catch(() => undefined);
  await save();
  const timer = setInterval(() => void save(), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await deleteWorker(db, id).catch(() => undefined);
    },
  };
}

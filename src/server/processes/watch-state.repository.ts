import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

interface WatchState {
  isOn: boolean;
  lookedAt: Date | null;
  problem: string | null;
  waiting: number;
  failed: number;
}

/** Returns how the watched import folder is doing. */
export async function readWatchState(db: Db): Promise<WatchState> {
  const { rows } = await sql<WatchState>`
    select s.watch_folder as "isOn", w.looked_at as "lookedAt", w.problem,
      (select count(*)::int from watched_files where state = 'waiting') as waiting,
      (select count(*)::int from watched_files where state = 'failed') as failed
    from settings s left join watched_folder w on true where s.id = 1`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error("there are no settings");
  return state;
}

import { sql, type Selectable } from "kysely";
import type { Db, DbOrTrx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";

export type WatchedRow = Pick<
  Selectable<Database["watched_files"]>,
  | "key"
  | "id"
  | "path"
  | "signature"
  | "resting_since"
  | "state"
  | "is_moved"
  | "attempts"
  | "retry_at"
  | "note"
>;

const storedAtOnce = 500;
const shownFiles = 100;

/** Returns all files that are remembered. */
export const listRows = (db: Db): Promise<WatchedRow[]> =>
  db
    .selectFrom("watched_files")
    .select(["key", "id", "path", "signature", "resting_since"])
    .select(["state", "is_moved", "attempts", "retry_at", "note"])
    .execute();

/** Adds files that were seen for the first time, unless another worker has added them. */
export async function insertRows(
  db: Db,
  rows: readonly Pick<WatchedRow, "key" | "id" | "path" | "signature" | "resting_since">[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += storedAtOnce) {
    await db
      .insertInto("watched_files")
      .values(rows.slice(at, at + storedAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Starts the rest of a file again, because it or a file beside it has changed. */
export async function restartRest(
  db: Db,
  row: WatchedRow,
  { signature, now }: { signature: Buffer; now: Date },
): Promise<void> {
  await db
    .updateTable("watched_files")
    .set({ signature, resting_since: now, retry_at: null, attempts: 0, note: null })
    .where("key", "=", row.key)
    .where("id", "=", row.id)
    .where("state", "=", "waiting")
    .execute();
}

/** Makes an imported or failed file a new one, because it is in the folder again. */
export async function startOver(
  db: Db,
  row: WatchedRow,
  { id, signature, now }: { id: string; signature: Buffer; now: Date },
): Promise<void> {
  await db
    .updateTable("watched_files")
    .set({ id, signature, resting_since: now, state: "waiting", is_moved: false, updated_at: now })
    .set({ attempts: 0, retry_at: null, note: null, video_id: null })
    .where("key", "=", row.key)
    .where("id", "=", row.id)
    .where("is_moved", "=", true)
    .execute();
}

/** Stores what became of a file. */
export async function updateRow(
  db: Db,
  { key, id }: WatchedRow,
  values: Partial<
    Pick<Selectable<Database["watched_files"]>, "attempts" | "is_moved" | "note" | "retry_at"> & {
      state: WatchedRow["state"];
      video_id: string;
    }
  >,
): Promise<void> {
  await db
    .updateTable("watched_files")
    .set({ ...values, updated_at: new Date() })
    .where("key", "=", key)
    .where("id", "=", id)
    .execute();
}

/** Forgets files that left the folder before they were imported. */
export async function deleteRows(db: Db, rows: readonly WatchedRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += storedAtOnce) {
    const part = rows.slice(at, at + storedAtOnce);
    await db
      .deleteFrom("watched_files")
      .where(
        "key",
        "in",
        part.map(({ key }) => key),
      )
      .where(
        "id",
        "in",
        part.map(({ id }) => id),
      )
      .where("state", "<>", "done")
      .execute();
  }
}

/** Forgets files a month after they were moved away. */
export async function deleteOldRows(db: Db): Promise<void> {
  await sql`delete from watched_files
    where is_moved and updated_at < now() - interval '30 days'`.execute(db);
}

/** Forgets the files that failed. Those still in the folder then count as new. */
export async function deleteFailed(db: DbOrTrx): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("watched_files")
    .where("state", "=", "failed")
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the files that the back office shows. */
export const listShownRows = (db: Db) =>
  db
    .selectFrom("watched_files")
    .select(["path", "state", "note", "video_id", "updated_at"])
    .orderBy(sql`array_position(array['failed', 'waiting', 'done'], state)`)
    .orderBy("updated_at", "desc")
    .orderBy("key")
    .limit(shownFiles)
    .execute();

/** Returns the identity of the folder at the last look that found something in it. */
export async function findPlace(db: Db): Promise<string | null> {
  const row = await db.selectFrom("watched_folder").select("place").executeTakeFirst();
  return row?.place ?? null;
}

export async function noteLook(
  db: Db,
  values: { problem: string } | { problem: null; looked_at: Date; place?: string },
): Promise<void> {
  await db
    .insertInto("watched_folder")
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
    .execute();
}

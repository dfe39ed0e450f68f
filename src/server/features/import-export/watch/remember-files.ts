import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { newId } from "#server/lib/ids.ts";
import { filesPerTurn, type Candidate, type Listing } from "./list-folder.ts";
import { wasMoved, writeReason } from "./move-files.ts";
import * as repository from "./watched-files.repository.ts";
import type { WatchedRow } from "./watched-files.repository.ts";

/** Updates the stored files to match the folder. Returns the files that are due. */
export async function rememberFiles(
  db: Db,
  { root, canMove }: Listing,
  { candidates, restS, now }: { candidates: readonly Candidate[]; restS: number; now: Date },
): Promise<{ due: [WatchedRow, Candidate][]; unmoved: [WatchedRow, Candidate][] }> {
  const rows = new Map(
    (await repository.listRows(db)).map((row) => [row.key.toString("hex"), row]),
  );
  const added: Parameters<typeof repository.insertRows>[1][number][] = [];
  const due: [WatchedRow, Candidate][] = [];
  const unmoved: [WatchedRow, Candidate][] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (at % filesPerTurn === 0) await nextTurn();
    const { key, path, signature, localPath } = candidate;
    const row = rows.get(key.toString("hex"));
    rows.delete(key.toString("hex"));
    if (row === undefined) added.push({ key, id: newId(), path, signature, resting_since: now });
    else if (row.is_moved) {
      // Another worker may have moved it after the folder was listed.
      const isBack = localPath !== null && (await lstat(localPath).catch(() => null)) !== null;
      if (isBack) await repository.startOver(db, row, { id: newId(), signature, now });
    } else if (row.state !== "waiting") unmoved.push([row, candidate]);
    else if (!row.signature.equals(signature)) {
      await repository.restartRest(db, row, { signature, now });
    } else if (
      now.getTime() - row.resting_since.getTime() >= restS * 1000 &&
      (row.retry_at === null || row.retry_at <= now)
    ) {
      due.push([row, candidate]);
    }
  }
  await repository.insertRows(db, added);
  await forget(db, root, [...rows.values()]);
  return { due, unmoved: canMove ? unmoved : [] };
}

/** Forgets files that are gone, except imported ones that couldn't be moved. */
async function forget(db: Db, root: string, rows: readonly WatchedRow[]): Promise<void> {
  const gone: WatchedRow[] = [];
  for (const row of rows) {
    if (row.is_moved) continue;
    const folder = row.state === "failed" ? "failed" : "done";
    // The process died after it had moved the file.
    const isMoved = row.state !== "waiting" && (await wasMoved(root, folder, row.path));
    if (isMoved && folder === "failed") {
      const reason = row.note ?? "";
      await writeReason(join(root, folder, row.path), row.path, reason).catch(() => undefined);
    }
    if (isMoved) await repository.updateRow(db, row, { is_moved: true });
    else if (row.state !== "done") gone.push(row);
  }
  await repository.deleteRows(db, gone);
}

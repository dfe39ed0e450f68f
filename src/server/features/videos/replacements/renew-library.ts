import type { RenewalPlan } from "#contract/videos/renewals.ts";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { findVideoRow } from "../videos.repository.ts";
import { planRenewals, renewVideos } from "./renew-videos.ts";
import * as repository from "./replacements.repository.ts";

const batchSize = 25;

/** Ids of videos to reprocess; null for all. */
type Chosen = readonly string[] | null;

/** @param names ids or slugs; empty for all videos. @throws AppError not_found. */
export async function chooseVideos(db: Db, names: readonly string[]): Promise<Chosen> {
  if (names.length === 0) return null;
  const ids = new Set<string>();
  for (const name of names) {
    const row = await findVideoRow(db, name);
    if (row === null) throw new AppError("not_found", `Video ${name} not found.`);
    ids.add(row.id);
  }
  return [...ids].toSorted();
}

export const planLibrary = (db: Db, chosen: Chosen): Promise<RenewalPlan> =>
  planRenewals(db, chosen === null ? null : repository.videosWithIds(chosen));

/**
 * Queues the videos in small transactions. If the call is interrupted, it can be repeated.
 * @returns the number queued.
 */
export async function renewLibrary(
  db: Db,
  queue: JobQueue,
  chosen: Chosen,
  actor: Actor,
): Promise<number> {
  let count = 0;
  for await (const batch of batches(db, chosen)) {
    count += await db.transaction().execute((trx) => renewVideos(trx, queue, batch, actor));
  }
  return count;
}

/** Cancels all reprocessing, both waiting and running. @returns the number of videos. */
export const stopRenewals = (db: Db): Promise<number> => repository.deleteOpenRenewals(db);

/** Yields batches of ids in ascending order. */
async function* batches(db: Db, chosen: Chosen): AsyncGenerator<readonly string[]> {
  if (chosen !== null) {
    for (let at = 0; at < chosen.length; at += batchSize) yield chosen.slice(at, at + batchSize);
    return;
  }
  let after: string | null = null;
  for (;;) {
    const batch: string[] = await repository.listVideoIds(db, { after, limit: batchSize });
    if (batch.length === 0) return;
    yield batch;
    after = batch.at(-1) ?? null;
  }
}

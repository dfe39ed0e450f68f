import { sql } from "kysely";
import type { Trx } from "#server/db/connection.ts";
import { lockedRows, type ChangedVideo } from "../videos.repository.ts";

/**
 * Publishes and returns the drafts among these videos. A scheduled time that has come becomes the
 * publication time. Otherwise the first publication sets it. Later ones retain it, if the video was
 * listed then.
 */
export async function setPublished(
  trx: Trx,
  ids: string[],
  at: Date,
): Promise<(ChangedVideo & { publishAt: Date | null })[]> {
  const { rows } = await sql<ChangedVideo & { publishAt: Date | null }>`
    with l as materialized ${lockedRows(ids)}
    update videos v set is_published = true,
      published_at = case when l.publish_at <= ${at} then l.publish_at
        else coalesce(v.published_at, ${at}) end,
      publish_at = null, publish_planned_by = null, version = version + 1
    from l where v.id = l.id and not v.is_published
    returning v.id, v.title, l.publish_at as "publishAt"`.execute(trx);
  return rows;
}

/**
 * Unpublishes these videos and cancels their schedules. @returns those that were published or
 * scheduled, with the cancelled time.
 */
export async function setUnpublished(
  trx: Trx,
  ids: string[],
): Promise<(ChangedVideo & { publishAt: Date | null })[]> {
  const { rows } = await sql<ChangedVideo & { publishAt: Date | null }>`
    with l as materialized ${lockedRows(ids)}
    update videos v set is_published = false, publish_at = null, publish_planned_by = null,
      version = version + 1
    from l where v.id = l.id and (v.is_published or v.publish_at is not null)
    returning v.id, v.title, l.publish_at as "publishAt"`.execute(trx);
  return rows;
}

export interface DueVideo {
  id: string;
  /** User who scheduled it; null if the account no longer exists. */
  planner: { id: string; email: string } | null;
}

/** Locks drafts whose scheduled time has come. Skips rows locked by other workers. */
export async function lockDueVideos(trx: Trx, at: Date, limit: number): Promise<DueVideo[]> {
  const rows = await trx
    .selectFrom("videos")
    .leftJoin("users", "users.id", "videos.publish_planned_by")
    .select(["videos.id", "users.email", "users.id as userId"])
    .where("videos.publish_at", "<=", at)
    .where("videos.is_published", "=", false)
    .orderBy("videos.id")
    .limit(limit)
    .forUpdate("videos")
    .skipLocked()
    .execute();
  return rows.map(({ id, userId, email }) => ({
    id,
    planner: userId === null || email === null ? null : { id: userId, email },
  }));
}

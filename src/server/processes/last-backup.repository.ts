import type { Db } from "#server/db/connection.ts";

/**
 * Returns when `npm run admin -- backup` last succeeded according to the audit log; null if never.
 */
export async function findLastBackup(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("audit_log")
    .select("at")
    .where("entity", "=", "backup")
    .where("action", "=", "backup.created")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

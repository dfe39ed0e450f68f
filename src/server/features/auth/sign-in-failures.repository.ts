import type { DbOrTrx, Trx } from "../../db/connection.ts";

/** Until when the most blocked of these keys is blocked, or null. */
export async function findBlockedUntil(db: DbOrTrx, keys: Buffer[]): Promise<Date | null> {
  const row = await db
    .selectFrom("sign_in_failures")
    .select((eb) => eb.fn.max("blocked_until").as("until"))
    .where("key", "in", keys)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** The failures of a key, locked until the end of the transaction. */
export async function lockFailures(
  trx: Trx,
  key: Buffer,
): Promise<{ failures: number; updatedAt: Date } | null> {
  const row = await trx
    .selectFrom("sign_in_failures")
    .select(["failures", "updated_at as updatedAt"])
    .where("key", "=", key)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function saveFailures(
  trx: Trx,
  key: Buffer,
  values: { failures: number; blockedUntil: Date; updatedAt: Date },
): Promise<void> {
  const columns = {
    failures: values.failures,
    blocked_until: values.blockedUntil,
    updated_at: values.updatedAt,
  };
  await trx
    .insertInto("sign_in_failures")
    .values({ key, ...columns })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(columns))
    .execute();
}

export async function deleteFailures(db: DbOrTrx, keys: Buffer[]): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("key", "in", keys).execute();
}

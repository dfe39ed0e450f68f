import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import type { Db } from "./connection.ts";

const name = "cookies";

/**
 * Returns the secret that all processes on this database share. It is created at the first start,
 * because signed cookies must stay valid on every machine and after restarts. Returns a key object,
 * because an HMAC with plain bytes takes four times as long.
 */
export async function getSecret(db: Db): Promise<KeyObject> {
  await db
    .insertInto("secrets")
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await db
    .selectFrom("secrets")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return createSecretKey(row.value);
}

import { hash } from "@node-rs/argon2";
import type { Insertable, Selectable } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";
import { newId } from "#server/lib/ids.ts";
import { nextNumber } from "./sequence.ts";

export type UserRow = Selectable<Database["users"]>;

/** Password of all users that this factory creates. */
export const testPassword = "correct horse battery staple";

/** Origin of a sign-in without a browser. */
export const testOrigin = {
  addressKey: "test",
  addressGroup: "test",
  device: null,
  replaced: null,
  requestId: "test",
};

/** Creates a user, by default an owner, with the password `testPassword`. */
export async function makeUser(
  db: DbOrTrx,
  values: Partial<Insertable<Database["users"]>> = {},
): Promise<UserRow> {
  const number = nextNumber();
  return await db
    .insertInto("users")
    .values({
      id: newId(),
      email: `user-${number}@example.test`,
      name: `User ${number}`,
      role: "ADMIN",
      is_owner: (values.role ?? "ADMIN") === "ADMIN",
      // Cheap parameters, because tests need no protection against brute force.
      password_hash: await hash(testPassword, { memoryCost: 1024, timeCost: 1, parallelism: 1 }),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

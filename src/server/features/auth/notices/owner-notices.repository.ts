import type { DbOrTrx } from "#server/db/connection.ts";

/** Returns the addresses of owners who can sign in. */
export async function listOwnerEmails(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("email")
    .where("is_owner", "=", true)
    .where("disabled_at", "is", null)
    .orderBy("email")
    .execute();
  return rows.map(({ email }) => email);
}

import { sql, type Kysely } from "kysely";

/**
 * Secrets of authenticator apps are sealed. `secret`: unused since 0.3, and emptied when the program
 * starts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_totp add column sealed bytea, alter column secret drop not null,
      add constraint totp_has_secret check (secret is not null or sealed is not null)`.execute(db);
}

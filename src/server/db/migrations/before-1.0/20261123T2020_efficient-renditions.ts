import { sql, type Kysely } from "kysely";

/** Whether AV1 renditions are made beside those in H.264, and when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings add column efficient_renditions text not null default 'off'
      constraint settings_efficient_renditions check (efficient_renditions in ('off', 'idle'))`.execute(
    db,
  );
}

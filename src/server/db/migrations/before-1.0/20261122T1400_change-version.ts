import { sql, type Kysely } from "kysely";

/** Counts the change events, so that a process notices those that did not reach it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_version (
      is_only boolean primary key default true check (is_only),
      version bigint not null
    )`.execute(db);
  await sql`insert into change_version (version) values (0)`.execute(db);
}

import { sql, type Kysely } from "kysely";

/**
 * Where the media are, and the id that the storage must hold. No kind until a process has written the
 * id into a storage; `other` is the second storage of a move that has not ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_storage (
      id integer primary key default 1 check (id = 1),
      kind text check (kind in ('disk', 's3')),
      storage_id uuid not null default gen_random_uuid(),
      other_kind text check (other_kind in ('disk', 's3')),
      other_storage_id uuid,
      check ((other_kind is null) = (other_storage_id is null))
    )`.execute(db);
  await sql`insert into media_storage default values`.execute(db);
}

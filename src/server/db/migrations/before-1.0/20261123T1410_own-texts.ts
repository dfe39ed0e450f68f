import { sql, type Kysely } from "kysely";

/** Texts of the public pages that the operator wrote instead of those of the product. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table own_texts (
    language text not null,
    id text not null,
    text text not null,
    primary key (language, id)
  )`.execute(db);
}

import { sql, type Kysely } from "kysely";

/**
 * Every word that a search document holds, to complete beginnings: `search_words` has those of titles
 * and labels alone, which typos are corrected to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table document_words (word text collate "C" primary key)`.execute(db);
  await sql`
    create function follow_document_words() returns trigger language plpgsql as $$
    begin
      insert into document_words
      select distinct lexeme from written, unnest(tsvector_to_array(written.words)) as lexeme
      where not exists (select from document_words d where d.word = lexeme)
      order by 1
      on conflict do nothing;
      return null;
    end $$`.execute(db);
  for (const change of ["insert", "update"]) {
    await sql`
      create trigger ${sql.id(`follow_document_words_on_${change}`)} after ${sql.raw(change)}
      on video_search referencing new table as written for each statement
      execute function follow_document_words()`.execute(db);
  }
  await sql`
    insert into document_words
    select distinct lexeme from video_search, unnest(tsvector_to_array(words)) as lexeme
    on conflict do nothing`.execute(db);
}

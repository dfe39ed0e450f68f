import { sql, type Kysely } from "kysely";

/**
 * Maximum number of positions that PostgreSQL stores per word, and the last position that `words_of`
 * assigns.
 */
const maxPositions = 255;
const lastPosition = 16_000;

/**
 * Notes which documents lack positions of words: long transcripts, whose phrases are searched in
 * their passages. Existing documents count as incomplete until they are rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table video_search add column lacks_positions boolean not null default true;
    create function note_lacking_positions() returns trigger language plpgsql as $$
    begin
      new.lacks_positions := exists (
        select from unnest(new.words)
        where cardinality(positions) >= ${sql.lit(maxPositions)}
          or positions[cardinality(positions)] >= ${sql.lit(lastPosition)});
      return new;
    end $$;
    create trigger note_lacking_positions before insert or update of words on video_search
      for each row execute function note_lacking_positions();
    insert into search_stale select distinct video_id from caption_passages on conflict do nothing`.execute(
    db,
  );
}

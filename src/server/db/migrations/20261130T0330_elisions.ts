import { sql, type Kysely } from "kysely";

/** French, Italian and Catalan words that lose their last vowel before another one, as in l'amour. */
const elided = String.raw`\m(c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull)`;
const apostrophes = "['’ʼ＇]";
const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/**
 * Search reads elided words as separate ones, so that "amour" also finds "L'amour à Paris". Other
 * apostrophes are still ignored: "don't" and "o'clock" are one word.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Letters have no accents and capitals here. All other steps of the function stay the same.
  const separated = sql`format('regexp_replace(lower(t), %L, %L, %L)',
    ${sql.lit(`${elided}${apostrophes}(?=[aeiouyh0-9])`)}, ${sql.lit(String.raw`\1 `)}, 'g')`;
  await sql`
    do $do$ begin
      execute replace(pg_get_functiondef('fold(text)'::regprocedure), 'lower(t)', ${separated});
    end $do$`.execute(db);
  const hasElided = sql.lit(`${elided}${apostrophes}`);
  await sql`
    insert into search_stale
    select id from videos where title ~* ${hasElided} or description ~* ${hasElided}
      or translations::text ~* ${hasElided}
    on conflict do nothing`.execute(db);
  for (const { table, join, column } of labels) {
    await sql`
      with changed as (
        -- Computes the folded name again.
        update ${sql.table(table)} set name = name where name_folded <> fold(name) returning id
      )
      insert into search_stale
      select distinct j.video_id from ${sql.table(join)} j join changed on changed.id = j.${sql.id(column)}
      on conflict do nothing`.execute(db);
  }
  // Passages don't contain apostrophes, so they are written again.
  await sql`
    insert into caption_stale
    select id from videos where captions::text ~ '"language": "(fr|it|ca)'
    on conflict do nothing`.execute(db);
}

import { sql, type Kysely } from "kysely";

/** Letters of Persian and Urdu keyboards, and the Arabic ones that mean the same. */
const letters = "یکہھۀۂۃ";
const plain = "يكههههه";
/** Arabic letters that `fold` already replaces, and their plain forms. */
const before = ["أإآٱىة", "اااايه"] as const;
const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/** Search treats the letters of Persian, Urdu and Arabic keyboards for the same sound as equal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $do$ begin
      execute replace(replace(pg_get_functiondef('fold(text)'::regprocedure),
        ${sql.lit(before[0])}, ${sql.lit(before[0] + letters)}),
        ${sql.lit(before[1])}, ${sql.lit(before[1] + plain)});
    end $do$`.execute(db);
  const hasLetters = sql.lit(`[${letters}]`);
  await sql`
    insert into search_stale
    select id from videos where title ~ ${hasLetters} or description ~ ${hasLetters}
      or translations::text ~ ${hasLetters}
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
  await sql`
    insert into caption_stale
    select id from videos where captions::text ~ '"language": "(ar|az|ckb|fa|ks|ku|pa|ps|sd|ug|ur)'
    on conflict do nothing`.execute(db);
}

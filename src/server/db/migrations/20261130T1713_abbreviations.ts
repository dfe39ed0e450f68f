import { sql, type Kysely } from "kysely";

/** Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic letters in lower case. */
const letters = "a-z\\u0370-\\u064a";
const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/**
 * Search ignores dots between single letters, so that "UFO" also finds "U.F.O. over Rome". If both
 * letters have a dot, spaces between them are ignored, too: "J. J. Abrams" equals "J.J. Abrams". A
 * sentence that ends with a single letter is joined only to an initial, as in "Plan B. A. Doe".
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const dots =
    `(?<=[${letters}])(?<![0-9${letters}][${letters}])` +
    String.raw`(?:\.(?=[${letters}](?![0-9${letters}]))|\. +(?=[${letters}]\.))`;
  // Letters have no accents and capitals here. All other steps of the function stay the same.
  await sql`
    do $do$ begin
      execute replace(pg_get_functiondef('fold(text)'::regprocedure), 'lower(t)',
        format('regexp_replace(lower(t), %L, %L, %L)', ${sql.lit(dots)}, '', 'g'));
    end $do$`.execute(db);
  const hasDots = sql.lit(
    String.raw`[^[:space:][:punct:]0-9]\. *[^[:space:][:punct:]0-9](?![a-z0-9])`,
  );
  await sql`
    insert into search_stale
    select id from videos where title ~* ${hasDots} or description ~* ${hasDots}
      or translations::text ~* ${hasDots}
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
  // Passages don't contain dots, so those with single letters in a row are written again.
  await sql`
    insert into caption_stale
    select distinct video_id from caption_passages
    where text ~ ${sql.lit(`(^| )[${letters}] [${letters}]( |$)`)}
    on conflict do nothing`.execute(db);
}

import { sql, type Kysely } from "kysely";

/** Stands between the characters of scripts without spaces: each is a word, in this order. */
const joiner = "\\u2060";
/** Joined to their neighbours without a space: Han, Kana, Thai, Lao, Burmese, Khmer, and pictographs. */
const single =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3040-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff";
/** Neither letter nor digit; listed, since classes such as [[:alnum:]] depend on the locale. */
const separators =
  "\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u02b0-\\u02ff\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e2f\\u0e4f\\u0e5a\\u0e5b\\u104a-\\u104f\\u17d4-\\u17da\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u25ff\\u27c0-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\ufe10-\\ufe6f\\uff00-\\uff0f\\ufffc\\ufffd";
/** Signs that modify the letter before them, and variation selectors: ignored in a search. */
const marks = "\\u0300-\\u036f\\ufe00-\\ufe0f'’ʼ";

/** `fold` turns a text into lower-case words without accents and signs; search compares these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'unaccent'`.execute(db);
  const schema = rows[0]?.name ?? "public";
  // Declared immutable although `unaccent` is stable: its rules are part of the installation.
  await sql`
    create function fold(given text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      t text := ${sql.id(schema)}.unaccent(
        ${sql.lit(`${schema}.unaccent`)}::regdictionary, normalize(given, NFKC));
    begin
      t := regexp_replace(lower(t), ${sql.lit(`[${marks}]+`)}, '', 'g');
      t := regexp_replace(translate(t, 'ς', 'σ'), ${sql.lit(`[${separators}]+`)}, ' ', 'g');
      if t ~ ${sql.lit(`[${single}]`)} then
        t := regexp_replace(t, ${sql.lit(`([${single}])`)}, ${sql.raw(`E'${joiner}\\\\1${joiner}'`)}, 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}* +${joiner}*`)}, ' ', 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}+`)}, ${sql.raw(`E'${joiner}'`)}, 'g');
        t := btrim(t, ${sql.raw(`E'${joiner}'`)});
      end if;
      return btrim(t);
    end $$`.execute(db);
  // Words longer than a lexeme may be are cut; the words of a query are cut too.
  await sql`
    create function words_of(folded text, weight text) returns tsvector
    language sql immutable parallel safe as $$
      select coalesce(
        string_agg('''' || left(word, 64) || ''':' || least(at, 16000) || weight, ' '), '')::tsvector
      from regexp_split_to_table(coalesce(folded, ''), ${sql.lit(`[ ${joiner}]+`)})
        with ordinality as split (word, at)
      where word <> ''
    $$`.execute(db);
  // The word itself and the word without each one of its letters. Two words that share one of these
  // differ by one typo, or by a little more, which the caller checks.
  await sql`
    create function one_letter_less(word text) returns setof text
    language sql immutable strict parallel safe as $$
      select word union
      select left(word, at - 1) || substr(word, at + 1) from generate_series(1, length(word)) as at
    $$`.execute(db);

  for (const table of ["categories", "tags", "actors"]) {
    await sql`
      alter table ${sql.table(table)}
        add column name_folded text not null generated always as (fold(name)) stored`.execute(db);
    await sql`
      create index ${sql.id(`${table}_folded_idx`)} on ${sql.table(table)}
        using gin (name_folded gin_trgm_ops)`.execute(db);
  }
}

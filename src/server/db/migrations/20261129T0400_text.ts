import { sql, type Kysely } from "kysely";

/** Separates the characters of scripts without spaces. Each counts as a word, in this order. */
const joiner = "\\u2060";
/** Joined to their neighbors without a space: Han, Kana, Thai, Lao, Burmese, Khmer, and pictographs. */
const single =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3040-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff";
/** Neither letters nor digits. Listed, because classes such as [[:alnum:]] depend on the locale. */
const separators =
  "\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u02b0-\\u02ff\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e2f\\u0e4f\\u0e5a\\u0e5b\\u104a-\\u104f\\u17d4-\\u17da\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u25ff\\u27c0-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\ufe10-\\ufe6f\\uff00-\\uff0f\\ufffc\\ufffd";
/** Hebrew points, Arabic vowel signs and the Arabic tatweel, which only stretches a word. */
const vowels =
  "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc";
/** Signs that modify the letter before them, and variation selectors: ignored in a search. */
const marks = `\\u0300-\\u036f\\ufe00-\\ufe0f'’ʼ${vowels}`;
/** Arabic letters that are often typed without their hamza, madda or dots, and their plain forms. */
const arabic = ["أإآٱىة", "اااايه"] as const;
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join("");
/** Katakana and hiragana write the same sounds. */
const katakana = from(0x30a1, 0x30f6);
const hiragana = from(0x3041, 0x3096);

/** Cyrillic and Greek letters that become one Latin letter each, and these Latin letters. */
const letters = "абвгдезийыклмнопрстуфхцэєіїґαβγδεζηικλμνξοπρσςτυφχω";
const latin = "abvgdeziiiklmnoprstufhceeiigabgdeziiklmnxoprsstyfho";
/** Letters that become several Latin letters, or none. */
const several = [
  ["ж", "zh"],
  ["ч", "ch"],
  ["ш", "sh"],
  ["щ", "sch"],
  ["ю", "iu"],
  ["я", "ia"],
  ["ъ", ""],
  ["ь", ""],
  ["θ", "th"],
  ["ψ", "ps"],
] as const;

/**
 * Functions that prepare text for search. `fold` returns lower-case words without accents and
 * punctuation, `words_of` turns these into a search document, and `search_keys` returns the keys that
 * a word shares with its misspellings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'unaccent'`.execute(db);
  const schema = rows[0]?.name ?? "public";
  // Declared immutable although `unaccent` is stable: its rules are part of the installation.
  await sql`
    create function fold(given text) returns text
    language plpgsql immutable strict parallel safe as $$
    declare
      t text := ${sql.id(schema)}.unaccent(
        ${sql.lit(`${schema}.unaccent`)}::regdictionary, normalize(given, NFKC));
    begin
      t := regexp_replace(lower(t), ${sql.lit(`[${marks}]+`)}, '', 'g');
      t := translate(t, ${sql.lit(`ς${arabic[0]}${katakana}`)}, ${sql.lit(`σ${arabic[1]}${hiragana}`)});
      t := regexp_replace(t, ${sql.lit(`[${separators}]+`)}, ' ', 'g');
      if t ~ ${sql.lit(`[${single}]`)} then
        t := regexp_replace(t, ${sql.lit(`([${single}])`)}, ${sql.raw(`E'${joiner}\\\\1${joiner}'`)}, 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}* +${joiner}*`)}, ' ', 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}+`)}, ${sql.raw(`E'${joiner}'`)}, 'g');
        t := btrim(t, ${sql.raw(`E'${joiner}'`)});
      end if;
      return btrim(t);
    end $$`.execute(db);
  // Words longer than a lexeme may be are cut. The words of a query are cut, too.
  await sql`
    create function words_of(folded text, weight text) returns tsvector
    language sql immutable parallel safe as $$
      select coalesce(
        string_agg('''' || left(word, 64) || ''':' || least(at, 16000) || weight, ' '), '')::tsvector
      from regexp_split_to_table(coalesce(folded, ''), ${sql.lit(`[ ${joiner}]+`)})
        with ordinality as split (word, at)
      where word <> ''
    $$`.execute(db);

  const romanised = several.reduce(
    (text, [letter, sounds]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(sounds)})`,
    sql`translate(word, ${sql.lit(letters)}, ${sql.lit(latin)})`,
  );
  // Bodies with `return` name their functions for good: an index is written without a search path.
  await sql`
    create function romanise(word text) returns text
    language sql immutable strict parallel safe return ${romanised}`.execute(db);
  // Two words share a key if their first eight letters differ by at most one missing, replaced or
  // additional letter, or by two if the words have at least six letters.
  const size = sql`least(length(word), 8)`;
  await sql`
    create function spelling_keys(word text) returns text[]
    language sql immutable strict parallel safe cost 10000
    return case when length(word) between 3 and 24 and word !~ '^[0-9]+$' then array(
      -- Without letters i and j of the first eight; past the end there is none to leave out.
      select distinct left(word, i - 1) || substr(left(word, 8), i + 1, j - i - 1)
        || substr(left(word, 8), j + 1)
      from generate_series(1, ${size} + 1) i, generate_series(i + 1, ${size} + 2) j
      where length(word) > 5 or j > ${size}
    ) else '{}'::text[] end`.execute(db);
  await sql`
    create function search_keys(word text) returns text[]
    language sql immutable strict parallel safe cost 10000
    return spelling_keys(word)
      || case when romanise(word) = word then '{}'::text[] else spelling_keys(romanise(word)) end`.execute(
    db,
  );
}

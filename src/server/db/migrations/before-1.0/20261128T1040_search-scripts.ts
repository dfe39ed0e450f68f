import { sql, type Kysely } from "kysely";

/** As in the migration `text-folding`. */
const joiner = "\\u2060";
const single =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3040-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff";
const separators =
  "\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u02b0-\\u02ff\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e2f\\u0e4f\\u0e5a\\u0e5b\\u104a-\\u104f\\u17d4-\\u17da\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u25ff\\u27c0-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\ufe10-\\ufe6f\\uff00-\\uff0f\\ufffc\\ufffd";
/** Hebrew points, Arabic vowel signs and the Arabic tatweel, which only stretches a word. */
const vowels =
  "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc";
const marks = `\\u0300-\\u036f\\ufe00-\\ufe0f'’ʼ${vowels}`;
/** Arabic letters that are often typed without their hamza, madda or dots, and their plain forms. */
const arabic = ["أإآٱىة", "اااايه"] as const;
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join("");
/** Katakana and hiragana write the same sounds. */
const katakana = from(0x30a1, 0x30f6);
const hiragana = from(0x3041, 0x3096);

/** Search ignores vowel signs of Arabic and Hebrew and the kind of kana, and finds parts of words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'unaccent'`.execute(db);
  const schema = rows[0]?.name ?? "public";
  await sql`
    create or replace function fold(given text) returns text
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
  for (const table of ["categories", "tags", "actors"]) {
    // Computes the folded name again.
    await sql`
      update ${sql.table(table)} set name = name where name_folded <> fold(name)`.execute(db);
  }
  const changed = sql.lit(`[${vowels}${arabic[0]}\\u30a1-\\u30f6]`);
  await sql`
    insert into search_stale
    select v.id from videos v
    where v.title ~ ${changed} or v.description ~ ${changed}
      or exists (select from video_tags j join tags t on t.id = j.tag_id
        where j.video_id = v.id and t.name ~ ${changed})
      or exists (select from video_actors j join actors t on t.id = j.actor_id
        where j.video_id = v.id and t.name ~ ${changed})
      or exists (select from video_categories j join categories t on t.id = j.category_id
        where j.video_id = v.id and t.name ~ ${changed})
    on conflict do nothing`.execute(db);
  await sql`
    with changed as (
      update caption_passages set text = regexp_replace(
        translate(text, ${sql.lit(arabic[0] + katakana)}, ${sql.lit(arabic[1] + hiragana)}),
        ${sql.lit(`[${vowels}]+`)}, '', 'g')
      where text ~ ${changed} returning video_id)
    insert into search_stale select distinct video_id from changed on conflict do nothing`.execute(
    db,
  );
  // Finds the words that contain a typed one, such as parts of German compounds.
  await sql`
    create index search_words_inside_idx on search_words using gin (word gin_trgm_ops)`.execute(db);
}

import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { plainLatin, type KnownWord } from "./typo.ts";

/** Maximum number of words with the same spelling keys to compare. */
const nearMax = 400;
/** Maximum number of words to read per prefix. */
const begunMax = 8;

export interface Vocabulary {
  /** The given texts that are words of titles or labels. */
  words: ReadonlySet<string>;
  /** Words that start with one of the prefixes, in the same order. */
  begun: string[];
  /** For each word, words of titles and labels with a similar spelling. */
  near: KnownWord[][];
}

/** Maximum number of completions. Words that have more stay prefixes. */
const completionsMax = 16;

/** Returns the longer words that start with each of these. Leaves out words that have too many. */
export async function listCompletions(
  db: DbOrTrx,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await sql<{ text: string; completions: string[] }>`${prepared}
    select given.text, array(
      select d.word from document_words d
      where d.word > given.text and d.word < (given.text || chr(1114111))
      limit ${sql.lit(completionsMax + 1)}
    ) as completions
    from unnest(${[...words]}::text[]) as given (text)`.execute(db);
  const few = rows.filter(({ completions }) => completions.length <= completionsMax);
  return new Map(few.map(({ text, completions }) => [text, completions]));
}

/** Maximum number of longer words that contain a typed one. */
const containingMax = 16;

/** Returns the words of titles and labels that contain each of these, shortest first. */
export async function listContaining(
  db: DbOrTrx,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const { rows } = await sql<{ text: string; longer: string[] }>`${prepared}
    select given.text, array(
      select w.word from search_words w
      where w.word like '%' || replace(given.text, '_', '\\_') || '%' and w.word <> given.text
      order by length(w.word), w.word limit ${sql.lit(containingMax)}
    ) as longer
    from unnest(${[...words]}::text[]) as given (text)`.execute(db);
  return new Map(rows.flatMap(({ text, longer }) => (longer.length > 0 ? [[text, longer]] : [])));
}

/** Returns which of these are words of titles or labels. */
export async function listKnownWords(
  db: DbOrTrx,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ word: string }>`${prepared}
    select word from search_words where word = any(${[...words]}::text[])`.execute(db);
  return new Set(rows.map(({ word }) => word));
}

/** Reads all data about these texts in one statement. */
export async function readVocabulary(
  db: DbOrTrx,
  given: {
    texts: readonly string[];
    beginnings: readonly string[];
    begunMax: number;
    words: readonly string[];
  },
): Promise<Vocabulary> {
  const { rows } = await sql<
    KnownWord & { kind: "word" | "begun" | "near"; at: number }
  >`${prepared}
    select 'word' as kind, 0::bigint as at, word, '' as romanised from search_words
    where word = any(${[...given.texts]}::text[])
    union all (
      select 'begun', given.at, hit.word, ''
      from unnest(${[...given.beginnings]}::text[]) with ordinality as given (text, at)
      cross join lateral (
        select word from search_words w
        where w.word ~>=~ given.text and w.word ~<~ (given.text || chr(1114111))
        limit ${sql.lit(begunMax)}
      ) hit
      order by given.at limit ${given.begunMax}
    ) union all
    select 'near', given.at - 1, near.word, romanise(near.word)
    from (
      -- Behind offset 0: the keys of a word are made once, not for each word that is compared.
      select at, search_keys(text) || spelling_keys(plain) as keys
      from unnest(${[...given.words]}::text[], ${given.words.map(plainLatin)}::text[])
        with ordinality as typed (text, plain, at) offset 0
    ) given
    cross join lateral (
      select word from search_words where search_keys(word) && given.keys
      limit ${sql.lit(nearMax)}
    ) near`.execute(db);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    words: new Set(of("word").map(({ word }) => word)),
    begun: [...new Set(of("begun").map(({ word }) => word))],
    near: given.words.map((_word, at) => of("near").filter((row) => row.at === at)),
  };
}

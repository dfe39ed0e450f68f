import { sql } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";
import { prepared } from "../../db/prepared-statements.ts";
import type { KnownWord } from "./typo.ts";

/** How many words with the same spelling keys are compared. */
const nearMax = 400;

export interface Vocabulary {
  /** Those of the texts that are words of titles or labels. */
  words: ReadonlySet<string>;
  /** Those of the texts that such a word begins with, in the given order. */
  beginnings: string[];
  /** For each word, words of titles and labels that are spelled much like it. */
  near: KnownWord[][];
}

/** Reads what is known about these texts, in one statement. */
export async function readVocabulary(
  db: DbOrTrx,
  given: {
    texts: readonly string[];
    beginnings: readonly string[];
    beginningsMax: number;
    words: readonly string[];
  },
): Promise<Vocabulary> {
  const { rows } = await sql<
    KnownWord & { kind: "word" | "beginning" | "near"; at: number }
  >`${prepared}
    select 'word' as kind, 0::bigint as at, word, '' as romanised from search_words
    where word = any(${[...given.texts]}::text[])
    union all (
      select 'beginning', given.at, given.text, ''
      from unnest(${[...given.beginnings]}::text[]) with ordinality as given (text, at)
      cross join lateral (
        select from search_words w
        where w.word ~>=~ given.text and w.word ~<~ (given.text || chr(1114111)) limit 1
      ) hit
      order by given.at limit ${given.beginningsMax}
    ) union all
    select 'near', given.at - 1, near.word, romanise(near.word)
    from (
      -- Behind offset 0: the keys of a word are made once, not for each word that is compared.
      select at, search_keys(text) as keys
      from unnest(${[...given.words]}::text[]) with ordinality as typed (text, at) offset 0
    ) given
    cross join lateral (
      select word from search_words where search_keys(word) && given.keys
      limit ${sql.lit(nearMax)}
    ) near`.execute(db);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    words: new Set(of("word").map(({ word }) => word)),
    beginnings: of("beginning").map(({ word }) => word),
    near: given.words.map((_word, at) => of("near").filter((row) => row.at === at)),
  };
}

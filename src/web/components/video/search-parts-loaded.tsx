import { pagePath, inLanguage } from "#web/lib/language/page-language.ts";
import type { ListQuery, ListResult } from "#web/lib/lists/card-list.ts";
import { PlayAll } from "./play-all.tsx";
import { withParts } from "#web/lib/language/with-parts.tsx";
import { fold, hasNoSpaces, wordsOf } from "./search-words.ts";

/** Texts of search results. */
const messages = inLanguage("found");

function isMarked(part: string, words: readonly string[]): boolean {
  const folded = fold(part);
  // "amour" is also found in "L'amour".
  const afterApostrophe = fold(part.replace(/^.*['’ʼ]/, ""));
  return words.some((word) =>
    hasNoSpaces.test(word)
      ? folded.includes(word)
      : folded === word ||
        (word.length > 1 && (folded.startsWith(word) || afterApostrophe.startsWith(word))),
  );
}

/** Text in which the words of a search are highlighted. */
export function MarkedText({ text, searches }: { text: string; searches: readonly string[] }) {
  const words = wordsOf(...searches);
  // Parts with an odd index are words.
  return text
    .split(/([\p{L}\p{N}\p{M}'’]+)/u)
    .map((part, at) =>
      at % 2 === 1 && isMarked(part, words) ? <mark key={at}>{part}</mark> : part,
    );
}

/** Offers a search for the corrected words. */
export function DidYouMean({ term, meant, href }: { term: string; meant: string; href: string }) {
  return (
    <p className="mb-4 break-words">
      {messages.nothingHas(term)}{" "}
      <span className="font-medium">
        {withParts(messages.didYouMean, {
          meant: (
            <a
              href={pagePath(href)}
              className="inline-flex min-h-11 items-center text-lamp-text underline"
            >
              {meant}
            </a>
          ),
        })}
      </span>
    </p>
  );
}

/**
 * Shows corrected words, a link to more filters and one that plays the results, above search results
 * on the home page.
 */
export function ResultNotes({
  query,
  result,
  name,
  hrefOf,
}: {
  query: ListQuery & { search: string };
  result: ListResult;
  name: string;
  hrefOf: (term: string) => string;
}) {
  const term = query.search;
  const meant = result.isLoaded ? result.list.didYouMean : null;
  const filters = new URLSearchParams({ search: term });
  for (const name of ["category", "sort"] as const) {
    const value = query[name] ?? "";
    if (value !== "") filters.set(name, value);
  }
  return (
    <>
      {meant === null ? null : <DidYouMean term={term} meant={meant} href={hrefOf(meant)} />}
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        <a
          href={pagePath(`/search?${filters}`)}
          className="inline-flex min-h-11 items-center underline"
        >
          {messages.moreFilters}
        </a>
        <PlayAll result={result} query={query} name={name} />
      </div>
    </>
  );
}

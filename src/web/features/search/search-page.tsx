import { data, useLoaderData, useLocation, type LoaderFunctionArgs } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { VideoList } from "#web/components/video/video-list.tsx";
import { loadCardList, type ListQuery, type ListResult } from "#web/lib/lists/card-list.ts";
import { counted } from "#web/lib/format/format.ts";
import { useNextPath } from "#web/lib/page/location.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { pageHandle, pageApiContext } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { findSearchParts, loadSearchParts } from "#web/components/video/search-parts.ts";
import { FilterForm } from "./components/filter-form.tsx";
import { SearchField } from "./components/search-field.tsx";
import { narrows, parseSearch, searchHref, type SearchFilters } from "./search-filters.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("search");

interface SearchQuery {
  term: string;
  filters: SearchFilters;
}

interface SearchData extends SearchQuery {
  result: ListResult;
  /** Links to browse pages. Shown if there is no search text. */
  tags: { name: string; slug: string }[];
}

const popularTagCount = 16;

function queryOf({ term, filters }: SearchQuery): ListQuery {
  if (term === "") return { sort: "trending", timeRange: "week" };
  const { category, length, date, quality, sort } = filters;
  return {
    search: term,
    category,
    length: length || undefined,
    date: date || undefined,
    quality: quality || undefined,
    sort: sort || undefined,
  };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const api = context.get(pageApiContext);
  const params = new URL(request.url).searchParams;
  const { term, filters } = parseSearch(params);
  if (term !== "") await loadSearchParts();
  const [result, tags] = await Promise.all([
    loadCardList(api, { ...queryOf({ term, filters }), cursor: params.get("cursor") ?? undefined }),
    term === ""
      ? api.listLabel("tags").catch((error: unknown) => {
          console.warn("Popular tags failed", error);
          return [];
        })
      : [],
  ]);
  const popular = tags
    .filter((tag) => tag.videoCount > 0)
    .toSorted((a, b) => b.videoCount - a.videoCount)
    .slice(0, popularTagCount)
    .map(({ name, slug }) => ({ name, slug }));
  const status = result.isLoaded ? 200 : (result.status ?? 503);
  return data<SearchData>({ term, filters, result, tags: popular }, { status });
}

export const handle = pageHandle<SearchData>({
  query: ["search", "category", "sort", "length", "date", "quality", "cursor"],
  allowsTrustedAds: true,
  head: ({ data: { term }, site }) => ({
    title: siteTitle(term === "" ? messages.title : messages.resultsFor(term), site),
    description: messages.description(site.name),
    canonical: `${site.url}/search`,
    meta: term === "" ? [] : [{ name: "robots", content: "noindex, follow" }],
  }),
});

function NothingHint({ term, filters }: SearchQuery) {
  return (
    <>
      <p>{messages.nothing}</p>
      {narrows(filters) ? (
        <a
          href={pagePath(searchHref(term))}
          className={classNames(buttonClass({ kind: "quiet" }), "mt-5")}
        >
          {messages.withoutFilters}
        </a>
      ) : null}
    </>
  );
}

export function Component() {
  const { term, filters, result, tags } = useLoaderData<SearchData>();
  const location = useLocation();
  const isSearching = useNextPath() === "/search";
  const DidYouMean = findSearchParts()?.DidYouMean;
  // The list then says so itself.
  const isEmpty = result.isLoaded && result.list.total === 0;
  const didYouMean = result.isLoaded ? result.list.didYouMean : null;

  return (
    <>
      <h1 className="pt-6 pb-5 text-xl font-semibold tracking-tight break-words md:pt-10">
        {term === "" ? messages.title : messages.resultsFor(term)}
      </h1>
      <SearchField key={term} term={term} filters={filters} />
      {term === "" ? null : <FilterForm term={term} filters={filters} />}
      {tags.length === 0 ? null : (
        <section aria-labelledby="popular-tags" className="mt-8">
          <h2 id="popular-tags" className="mb-3 text-base font-semibold">
            {messages.popularTags}
          </h2>
          {/* One row on phones and tablets, so that the first screen shows videos and nothing shifts
              when the web font loads. */}
          <ul className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:mx-0 lg:flex-wrap lg:px-0">
            {tags.map((tag) => (
              <li key={tag.slug}>
                <ChipLink href={`/tags/${encodeURIComponent(tag.slug)}`}>
                  <bdi>#{tag.name}</bdi>
                </ChipLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section
        aria-label={term === "" ? messages.trending : messages.resultsFor(term)}
        className="mt-8"
      >
        {term === "" ? <h2 className="mb-4 text-base font-semibold">{messages.trending}</h2> : null}
        <p
          role="status"
          className={term === "" || isEmpty ? "sr-only" : "mb-4 min-h-5 text-sm text-ink-11"}
        >
          {term === "" || isSearching || !result.isLoaded
            ? ""
            : counted(result.list.total, formatTexts.videos)}
        </p>
        {isSearching || didYouMean === null || DidYouMean === undefined ? null : (
          <DidYouMean term={term} meant={didYouMean} href={searchHref(didYouMean, filters)} />
        )}
        {isSearching ? (
          <VideoGridSkeleton />
        ) : (
          <VideoList
            key={location.key + term}
            result={result}
            query={queryOf({ term, filters })}
            hrefOfCursor={(cursor) => searchHref(term, filters, cursor)}
            searches={term === "" ? undefined : [term, didYouMean ?? ""]}
            label={term === "" ? messages.trending : messages.resultsFor(term)}
            emptyHint={term === "" ? undefined : <NothingHint term={term} filters={filters} />}
          />
        )}
      </section>
    </>
  );
}

import {
  data,
  useLoaderData,
  useLocation,
  useNavigate,
  type LoaderFunctionArgs,
} from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { PlayAll } from "#web/components/video/play-all.tsx";
import { VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { VideoList } from "#web/components/video/video-list.tsx";
import { loadCardList, type ListQuery, type ListResult } from "#web/lib/lists/card-list.ts";
import { counted } from "#web/lib/format/format.ts";
import { useNextPath } from "#web/lib/page/location.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { pageHandle, pageApiContext } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { findSearchParts, loadSearchParts } from "#web/components/video/search-parts.ts";
import { narrows, parseSearch, searchHref, type SearchFilters } from "./search-filters.ts";
import { useEffect, useRef, useCallback, useId, useState, type SubmitEvent } from "react";
import { SelectField } from "#web/components/ui/field.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { SearchIcon, XIcon } from "lucide-react";
import { SearchSuggestions } from "./search-suggestions.tsx";

const filterLabels = inLanguage("filters");
const formatTexts = inLanguage("format");
const messages = inLanguage("search");

/** Search box of the search page. Without scripts, it is a GET form. */
function SearchField({ term, filters }: { term: string; filters: SearchFilters }) {
  const navigate = useNavigate();
  const id = useId();
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const [text, setText] = useState(term);
  const hrefOf = (wanted: string) => searchHref(wanted, filters);
  // Includes text typed before the scripts loaded, which the next render would remove.
  const takeField = useCallback((node: HTMLInputElement | null) => {
    setField(node);
    if (node !== null) setText(node.value);
  }, []);

  return (
    <form
      role="search"
      aria-label={messages.form}
      action={pagePath("/search")}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted === "") return;
        field?.blur();
        void navigate(hrefOf(wanted));
      }}
      className="relative max-w-2xl"
    >
      <label htmlFor={`${id}field`} className="sr-only">
        {messages.label}
      </label>
      <SearchIcon className="pointer-events-none absolute top-3.5 inset-s-4 size-5 text-ink-11" />
      <input
        ref={takeField}
        id={`${id}field`}
        type="search"
        name="search"
        role="combobox"
        aria-expanded={false}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        placeholder={messages.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="field h-12 rounded-full px-12 text-base!"
      />
      {text === "" ? null : (
        <button
          type="button"
          aria-label={messages.clear}
          onClick={() => {
            setText("");
            field?.focus();
          }}
          className="absolute top-0.5 inset-e-0.5 flex size-11 items-center justify-center rounded-full text-ink-11 hover:text-ink-12"
        >
          <XIcon className="size-4.5" />
        </button>
      )}
      {field === null ? null : <SearchSuggestions field={field} id={id} hrefOf={hrefOf} />}
    </form>
  );
}

const choices = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const filterNames = ["length", "date", "quality", "category", "sort"] as const;

/**
 * Form for the filters and the order of results. Every change opens a new URL. Without scripts, a
 * button submits the form.
 */
function FilterForm({ term, filters }: { term: string; filters: SearchFilters }) {
  const navigate = useNavigate();
  const { settings } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<SearchFilters | null>(null);

  const apply = () => {
    if (form.current === null) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) {
      if (typeof value === "string") params.set(name, value);
    }
    const href = searchHref(term, parseSearch(params).filters);
    if (href !== searchHref(term, filters)) void navigate(href);
  };
  // Going back and clearing filters change the URL. The fields update in place, so that the
  // keyboard focus and the scroll position of the row are preserved.
  useEffect(() => {
    if (shown.current === filters) return;
    // Initially, the fields may contain choices made before the scripts loaded.
    if (shown.current === null) apply();
    else
      for (const name of filterNames) {
        const field = form.current?.elements.namedItem(name);
        if (field instanceof HTMLSelectElement) field.value = filters[name];
      }
    shown.current = filters;
  });
  const names = [...new Set([...settings.filterCategories, filters.category])];

  const fields = [
    { name: "length", options: choices(filterLabels.length) },
    { name: "date", options: choices(filterLabels.date) },
    { name: "quality", options: choices(filterLabels.quality) },
    {
      name: "category",
      options: [
        { value: "", label: messages.anyCategory },
        ...names.filter((name) => name !== "").map((name) => ({ value: name, label: name })),
      ],
    },
    { name: "sort", options: choices(filterLabels.sort) },
  ] as const;
  return (
    <form
      ref={form}
      action={pagePath("/search")}
      aria-label={messages.filters}
      onChange={apply}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        apply();
      }}
      // One row on phones and tablets, so that the first screen shows results. Hidden labels stay
      // inside it.
      className="relative -mx-4 mt-4 no-scrollbar flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:mx-0 lg:flex-wrap lg:overflow-visible lg:px-0"
    >
      <input type="hidden" name="search" value={term} />
      {fields.map(({ name, options }) => (
        <SelectField
          key={name}
          label={messages.filterNames[name]}
          isLabelHidden
          name={name}
          defaultValue={filters[name]}
          options={options}
          // As wide as the selected option, in browsers that support it. Fields that shrink would
          // cut their text in the others.
          className="shrink-0 *:field-sizing-content"
        />
      ))}
      <noscript>
        <button type="submit" className={buttonClass({ kind: "quiet" })}>
          {messages.apply}
        </button>
      </noscript>
    </form>
  );
}

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
  // An empty list says so itself.
  const hasCount = term !== "" && !(result.isLoaded && result.list.total === 0);
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
        <div
          className={
            hasCount
              ? "mb-4 flex min-h-11 flex-wrap items-center justify-between gap-x-4"
              : undefined
          }
        >
          <p role="status" className={hasCount ? "text-sm text-ink-11" : "sr-only"}>
            {term === "" || isSearching || !result.isLoaded
              ? ""
              : counted(result.list.total, formatTexts.videos)}
          </p>
          {term === "" || isSearching ? null : (
            <PlayAll
              result={result}
              query={queryOf({ term, filters })}
              name={messages.resultsFor(term)}
            />
          )}
        </div>
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

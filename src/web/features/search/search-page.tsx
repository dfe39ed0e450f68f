import {
  data,
  useLoaderData,
  useLocation,
  useNavigation,
  type LoaderFunctionArgs,
} from "react-router";
import { limits } from "../../../contract/limits.ts";
import { ChipLink } from "../../components/ui/chip.tsx";
import { VideoGridSkeleton } from "../../components/video/video-grid.tsx";
import { VideoList } from "../../components/video/video-list.tsx";
import { loadCardList, type ListQuery, type ListResult } from "../../lib/lists/card-list.ts";
import { formatCount } from "../../lib/format/format.ts";
import { pageApiContext } from "../../lib/page/page-context.ts";
import { pageHandle } from "../../lib/page/page-route.ts";
import { siteTitle } from "../../lib/page/share-meta.ts";
import { SearchField } from "./components/search-field.tsx";
import { searchMessages as messages } from "./messages.ts";

interface SearchData {
  term: string;
  result: ListResult;
  /** Links to browse pages, shown without a search text. */
  tags: { name: string; slug: string }[];
}

const popularTagCount = 16;

function searchHref(term: string, cursor?: string): string {
  const params = new URLSearchParams();
  if (term !== "") params.set("search", term);
  if (cursor !== undefined) params.set("cursor", cursor);
  return params.size === 0 ? "/search" : `/search?${params}`;
}

function queryOf(term: string): ListQuery {
  return term === "" ? { sort: "trending", timeRange: "week" } : { search: term };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const api = context.get(pageApiContext);
  const params = new URL(request.url).searchParams;
  const term = (params.get("search") ?? "").trim().slice(0, limits.searchMax);
  const [result, tags] = await Promise.all([
    loadCardList(api, { ...queryOf(term), cursor: params.get("cursor") ?? undefined }),
    term === ""
      ? api.listTaxonomy("tags").catch((error: unknown) => {
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
  return data<SearchData>({ term, result, tags: popular }, { status });
}

export const handle = pageHandle<SearchData>({
  head: ({ data: { term }, site }) => ({
    title: siteTitle(term === "" ? messages.title : messages.resultsFor(term), site),
    description: messages.description(site.name),
    canonical: `${site.url}/search`,
    meta: term === "" ? [] : [{ name: "robots", content: "noindex, follow" }],
  }),
});

export function Component() {
  const { term, result, tags } = useLoaderData<SearchData>();
  const location = useLocation();
  const navigation = useNavigation();
  const isSearching = navigation.state === "loading" && navigation.location.pathname === "/search";
  const total = result.isLoaded ? result.list.total : 0;

  return (
    <>
      <h1 className="pt-8 pb-5 text-xl font-semibold tracking-tight break-words md:pt-10">
        {term === "" ? messages.title : messages.resultsFor(term)}
      </h1>
      <SearchField key={term} term={term} />
      {tags.length === 0 ? null : (
        <section aria-labelledby="popular-tags" className="mt-8">
          <h2 id="popular-tags" className="mb-3 text-base font-semibold">
            {messages.popularTags}
          </h2>
          <ul className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li key={tag.slug}>
                <ChipLink href={`/tags/${encodeURIComponent(tag.slug)}`}>#{tag.name}</ChipLink>
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
        <p role="status" className={term === "" ? "sr-only" : "mb-4 text-sm text-ink-11"}>
          {term === "" || isSearching ? "" : messages.found(formatCount(total), total === 1)}
        </p>
        {isSearching ? (
          <VideoGridSkeleton />
        ) : (
          <VideoList
            key={location.key + term}
            result={result}
            query={queryOf(term)}
            hrefOfCursor={(cursor) => searchHref(term, cursor)}
            memoryKey={location.key}
            label={term === "" ? messages.trending : messages.resultsFor(term)}
            emptyHint={term === "" ? undefined : <p>{messages.nothing}</p>}
          />
        )}
      </section>
    </>
  );
}

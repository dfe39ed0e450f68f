import { useLocation, useNavigate, data, type LoaderFunctionArgs } from "react-router";
import { VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { VideoList } from "#web/components/video/video-list.tsx";
import { loadCardList } from "#web/lib/lists/card-list.ts";
import { counted } from "#web/lib/format/format.ts";
import { useNextPath } from "#web/lib/page/location.ts";
import { pageHandle, pageApiContext, usePageData } from "#web/lib/page/page-route.ts";
import { useSite } from "#web/lib/page/site.ts";
import { FilterBar } from "./components/filter-bar.tsx";
import { findSearchParts, loadSearchParts } from "#web/components/video/search-parts.ts";
import { homeHref, isSameFilters, parseFilters, queryOf, type Filters } from "./filters.ts";
import type { PageApi } from "#contract/site/page-api.ts";
import type * as pinnedRows from "./components/pinned-rows.tsx";
import type { HomeData } from "./home-head.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useSession } from "#web/lib/session.ts";
import { withParts } from "#web/lib/language/with-parts.tsx";
import { useEffect, useState, type ReactNode } from "react";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";

const videoMessages = inLanguage("videos");
const formatTexts = inLanguage("format");
const messages = inLanguage("home");

const loadLateDescription = () =>
  import("./components/late-description.tsx").then((module) => module.LateDescription);

/** Shows the description of the site below the list. */
function SiteDescription() {
  const { isComplete, settings } = useSite();
  const { Lazy: LateDescription } = useLazyComponent(loadLateDescription, !isComplete);
  if (isComplete) return <Description text={settings.siteDescription} />;
  return LateDescription === null ? null : <LateDescription Description={Description} />;
}

function Description({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <p dir="auto" className="mx-auto mt-14 max-w-2xl text-center text-ink-11 text-pretty">
      {text}
    </p>
  );
}

/** Row with new videos of followed labels. Without follows, it takes no space and loads nothing. */
function FollowRow() {
  const [row, setRow] = useState<ReactNode>(null);
  useEffect(() => {
    if (document.documentElement.dataset["follows"] === undefined) return;
    let isGone = false;
    import("./components/followed-videos.tsx").then(({ FollowedVideos }) => {
      if (!isGone) setRow(<FollowedVideos />);
    }, console.warn);
    return () => {
      isGone = true;
    };
  }, []);
  return <div className="follow-row">{row}</div>;
}

const demoCommand = "npm run demo";

/**
 * Hints for signed-in users on how to fill a new site. Visitors only see that there are no videos.
 */
function NewSiteHint() {
  if (useSession().user === null) return null;
  return (
    <p>
      {withParts(messages.fresh, {
        upload: (
          <a href="/admin/videos" className="text-lamp-text underline">
            {messages.freshUpload}
          </a>
        ),
        command: <code className="rounded-sm bg-ink-3 px-1.5 py-0.5">{demoCommand}</code>,
      })}
    </p>
  );
}

function NoMatchHint() {
  return (
    <p>
      {withParts(messages.noMatch, {
        all: (
          <a href={pagePath("/home")} className="text-lamp-text underline">
            {messages.noMatchLink}
          </a>
        ),
      })}
    </p>
  );
}

let pinned: typeof pinnedRows | null = null;

const loadPinned = async () => (pinned ??= await import("./components/pinned-rows.tsx"));

/** Loads the rows above the list, if the operator has pinned any. */
async function loadRows(api: PageApi): Promise<pinnedRows.PinnedRow[]> {
  try {
    const { pinnedLabels } = await api.publicSettings();
    return pinnedLabels.length === 0 ? [] : (await loadPinned()).loadRows(api, pinnedLabels);
  } catch (error) {
    console.warn("Pinned rows failed", error);
    return [];
  }
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const filters = parseFilters(params);
  const cursor = params.get("cursor");
  if (filters.search !== "") await loadSearchParts();
  const api = context.get(pageApiContext);
  const isWhole = homeHref(filters) === "/home" && cursor === null;
  const [result, rows] = await Promise.all([
    loadCardList(api, { ...queryOf(filters), cursor: cursor ?? undefined }),
    isWhole ? loadRows(api) : [],
  ]);
  const status = result.isLoaded ? 200 : (result.status ?? 503);
  return data<HomeData>({ filters, cursor, result, rows }, { status });
}

export const handle = pageHandle<HomeData>({
  query: ["search", "category", "sort", "cursor"],
  prepare: (home) => (home?.rows.length ? loadPinned() : null),
  allowsTrustedAds: true,
  head: async (input) => (await import("./home-head.ts")).homeHead(input),
});

function headingOf(filters: Filters): string {
  if (filters.search !== "") return messages.resultsFor(filters.search);
  return filters.category === "" ? messages.heading : filters.category;
}

export function Component() {
  const { filters, cursor, result, rows } = usePageData<HomeData>();
  const site = useSite();
  const location = useLocation();
  const navigate = useNavigate();
  const nextPath = useNextPath();
  const isFiltering = nextPath === "/home";
  const parts = findSearchParts();
  const meant = result.isLoaded ? result.list.didYouMean : null;
  const query = queryOf(filters);
  const term = filters.search;
  const isFiltered = term !== "" || filters.category !== "";

  const showFilters = (wanted: Filters) => {
    // The visitor is leaving the page.
    if (nextPath !== null && !isFiltering) return;
    // Typing replaces the history entry instead of adding one per letter.
    const isStillTyping =
      term !== "" && wanted.search !== "" && isSameFilters({ ...wanted, search: term }, filters);
    // A choice that is taken back while it loads opens the same URL.
    const isUnchanged = isSameFilters(wanted, filters);
    void navigate(homeHref(wanted), { replace: isStillTyping || isUnchanged });
  };

  return (
    <>
      <h1
        className={isFiltered ? "pt-5 text-lg font-semibold tracking-tight break-words" : "sr-only"}
      >
        {headingOf(filters)}
      </h1>
      <FilterBar
        filters={filters}
        categories={site.settings.filterCategories}
        onChange={showFilters}
      />
      {pinned === null || isFiltering ? null : <pinned.PinnedRows rows={rows} />}
      {isFiltered || cursor !== null ? null : <FollowRow />}
      <p
        role="status"
        className={isFiltered && !isFiltering ? "mb-4 text-sm text-ink-11" : "sr-only"}
      >
        {isFiltered && !isFiltering && result.isLoaded
          ? counted(result.list.total, formatTexts.videos)
          : ""}
      </p>
      {term === "" || isFiltering || parts === null ? null : (
        <parts.ResultNotes
          query={query}
          result={result}
          name={headingOf(filters)}
          hrefOf={(search) => homeHref({ ...filters, search })}
        />
      )}
      {isFiltering ? (
        <VideoGridSkeleton />
      ) : (
        <VideoList
          key={location.key + location.search}
          result={result}
          query={query}
          hrefOfCursor={(next) => homeHref(filters, next)}
          unfilteredHref="/home"
          label={messages.listLabel}
          searches={term === "" ? undefined : [term, meant ?? ""]}
          emptyHint={isFiltered ? <NoMatchHint /> : <NewSiteHint />}
        />
      )}
      {cursor === null ? null : (
        <p className="mt-6 text-center text-sm">
          <a
            className="inline-flex min-h-11 items-center underline"
            href={pagePath(homeHref(filters))}
          >
            {videoMessages.firstPage}
          </a>
        </p>
      )}
      <SiteDescription />
    </>
  );
}

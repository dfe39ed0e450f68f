import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { limits } from "#contract/limits.ts";
import type { CardList } from "#web/lib/lists/card-video.ts";
import { fetchCardList, type ListQuery, type ListResult } from "#web/lib/lists/card-list.ts";
import { browserApi } from "#web/lib/api/page-api.ts";
import { classNames } from "../ui/class-names.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { VideoGrid, VideoGridSkeleton } from "./video-grid.tsx";
import { counted } from "#web/lib/format/format.ts";
import { useEntryKey, documentLoadType } from "#web/lib/page/location.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { statusOf } from "#web/lib/page/page-route.ts";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { forgetList, recallList, rememberList } from "#web/lib/lists/list-memory.ts";
import { restoreScroll } from "#web/lib/lists/scroll-memory.ts";

const messages = inLanguage("videos");
const formatTexts = inLanguage("format");

interface Failure {
  status: number | null;
}

/**
 * Manages a list that grows at its end. `memoryKey` is its history entry, so that Back restores the
 * list at its previous length. The caller changes the React key when the list changes.
 */
export function usePagedList(options: {
  memoryKey: string;
  first: CardList;
  fetchPage: (cursor: string) => Promise<CardList>;
}) {
  const { memoryKey, first, fetchPage } = options;
  const isHydrated = useIsHydrated();
  const [list, setList] = useState<CardList>(() =>
    isHydrated ? (recallList(memoryKey) ?? first) : first,
  );
  const [isLoading, setIsLoading] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loadCount, setLoadCount] = useState(0);
  const isBusy = useRef(false);
  const isMounted = useRef(true);

  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  // If Back loads the document, the server sends the first page, and further pages come from memory.
  // A reload or a typed URL starts a new list.
  useEffect(() => {
    if (isHydrated) return;
    if (documentLoadType() !== "back_forward") {
      forgetList(memoryKey);
      return;
    }
    const remembered = recallList(memoryKey);
    if (remembered !== null && remembered.videos.length > first.videos.length) {
      setList(remembered);
      restoreScroll(memoryKey);
    }
    // Only right after hydration.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const loadMore = async (): Promise<void> => {
    if (isBusy.current || list.nextCursor === null) return;
    isBusy.current = true;
    setIsLoading(true);
    setFailure(null);
    try {
      const page = await fetchPage(list.nextCursor);
      if (!isMounted.current) return;
      const slugs = new Set(list.videos.map((video) => video.slug));
      const longer: CardList = {
        videos: [...list.videos, ...page.videos.filter((video) => !slugs.has(video.slug))],
        total: page.total,
        nextCursor: page.nextCursor,
        didYouMean: list.didYouMean,
      };
      rememberList(memoryKey, longer);
      setList(longer);
      setLoadCount((count) => count + 1);
    } catch (error) {
      // The visitor reads about it. Leaving the page ends the request too, which is no failure.
      if (isMounted.current) setFailure({ status: statusOf(error) });
    } finally {
      isBusy.current = false;
      if (isMounted.current) setIsLoading(false);
    }
  };

  return { list, isLoading, failure, loadCount, loadMore };
}

/**
 * Number of pages that are loaded while scrolling. After that, a button is shown, so that visitors
 * can reach the footer.
 */
const automaticLoads = 3;
/** Distance below the screen at which the next page is requested. */
const loadAheadPx = 800;

/** Returns "Failed to fetch videos: 503", without the number if there was no response. */
const listFailureText = (status: number | null) =>
  status === null ? messages.fetchFailed : messages.fetchFailedWith(status);

interface VideoListProps {
  result: ListResult;
  /** Query of `result`. Later pages add a cursor. */
  query: ListQuery;
  /** Returns the URL of the page that starts at a cursor, for the link without scripts. */
  hrefOfCursor: (cursor: string) => string;
  label: string;
  /** Searches whose words are highlighted in titles. */
  searches?: readonly string[] | undefined;
  /** URL of the list without filters. Defaults to the path of the page. */
  unfilteredHref?: string;
  /** Shown below the text of an empty list. */
  emptyHint?: ReactNode;
}

/** List of videos with all its states. Give it a `key` that changes with the list. */
export function VideoList(props: VideoListProps) {
  const { result, query } = props;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [isRetrying, setIsRetrying] = useState(false);

  // Retrying also removes the filters from the URL and the chips.
  const retry = async () => {
    setIsRetrying(true);
    await navigate(props.unfilteredHref ?? pathname);
    setIsRetrying(false);
  };

  if (isRetrying) return <VideoGridSkeleton />;
  if (!result.isLoaded) {
    return (
      <ErrorState
        message={listFailureText(result.status)}
        retryLabel={messages.tryAgain}
        onRetry={() => void retry()}
      />
    );
  }
  if (result.list.videos.length === 0) {
    return <EmptyState title={messages.noVideos}>{props.emptyHint}</EmptyState>;
  }
  return <GrowingList {...props} first={result.list} query={query} />;
}

function GrowingList({
  first,
  query,
  hrefOfCursor,
  label,
  searches,
}: Omit<VideoListProps, "result" | "emptyHint" | "unfilteredHref"> & { first: CardList }) {
  const { list, isLoading, failure, loadCount, loadMore } = usePagedList({
    memoryKey: useEntryKey(),
    first,
    fetchPage: (cursor) => fetchCardList(browserApi, { ...query, cursor }),
  });
  const more = useRef<HTMLAnchorElement>(null);
  const space = useRef<HTMLLIElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const load = useRef(loadMore);
  useEffect(() => {
    load.current = loadMore;
  });

  const hasScrolled = useHasScrolled();
  const isAutomatic = loadCount < automaticLoads && failure === null && list.nextCursor !== null;
  useEffect(() => {
    const target = space.current ?? more.current;
    if (!isAutomatic || !hasScrolled || target === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void load.current();
      },
      {
        // Extends upwards too, because a jump to the end of the page passes the element.
        rootMargin: `100000px 0px ${loadAheadPx}px`,
      },
    );
    observer.observe(target);
    return () => observer.disconnect();
    // The observed element moves with each page, so it is observed again.
  }, [isAutomatic, hasScrolled, loadCount]);

  const remaining = Math.max(0, list.total - list.videos.length);
  const pagesAhead = isAutomatic ? automaticLoads - loadCount : isLoading ? 1 : 0;
  const reserved = Math.min(remaining, pagesAhead * limits.publicPageSize);

  const onMore = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const isKeyboard = event.detail === 0;
    const countBefore = list.videos.length;
    await loadMore();
    if (isKeyboard) focusCard(grid.current, countBefore);
  };

  return (
    <>
      <div ref={grid}>
        <VideoGrid
          videos={list.videos}
          label={label}
          reserved={reserved}
          reservedRef={space}
          searches={searches}
        />
      </div>
      <p role="status" className="sr-only">
        {loadCount > 0 ? counted(list.videos.length, formatTexts.videos) : ""}
      </p>
      {failure === null ? null : (
        <ErrorState
          className="py-8!"
          message={listFailureText(failure.status)}
          retryLabel={messages.tryAgain}
          onRetry={() => void loadMore()}
          isBusy={isLoading}
        />
      )}
      {list.nextCursor === null || failure !== null ? null : (
        // While pages are loaded automatically, the link is only for visitors without scripts.
        <div
          className={classNames(
            "mt-10 flex justify-center",
            isAutomatic && reserved === remaining && "without-scripts",
          )}
        >
          <a
            ref={more}
            href={pagePath(hrefOfCursor(list.nextCursor))}
            rel="next"
            aria-disabled={isLoading}
            onClick={(event) => void onMore(event)}
            className={buttonClass({ kind: "quiet" })}
          >
            {isLoading ? messages.loadingMore : messages.loadMore}
          </a>
        </div>
      )}
    </>
  );
}

/** Returns whether the visitor has scrolled. Nothing is loaded in advance before that. */
function useHasScrolled(): boolean {
  const [hasScrolled, setHasScrolled] = useState(false);
  useEffect(() => {
    const note = () => setHasScrolled(true);
    // The visitor may have scrolled before this script ran.
    if (window.scrollY > 0) note();
    window.addEventListener("scroll", note, { passive: true, once: true });
    return () => window.removeEventListener("scroll", note);
  }, []);
  return hasScrolled;
}

function focusCard(grid: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => {
    const card = grid?.querySelectorAll<HTMLElement>("li > a")[index];
    card?.focus();
  });
}

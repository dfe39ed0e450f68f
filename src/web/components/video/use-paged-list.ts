import { useEffect, useRef, useState } from "react";
import type { CardList } from "#web/lib/lists/card-video.ts";
import { statusOf } from "#web/lib/page/page-route.ts";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { forgetList, recallList, rememberList } from "#web/lib/lists/list-memory.ts";
import { restoreScroll } from "#web/lib/lists/scroll-memory.ts";
import { documentLoadType } from "#web/lib/page/location.ts";

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

import { useEffect, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { isSameFilters, type Filters } from "../filters.ts";

/**
 * The filters as the person sees them, and as the page knows them: a change is reported after
 * 500 ms in which nothing else changed. An address that changes from outside (Back, the navigation
 * bar) is taken over at once.
 */
export function useQuietFilters(current: Filters, report: (filters: Filters) => void) {
  const [draft, setDraft] = useState(current);
  const [known, setKnown] = useState(current);
  const reportLatest = useRef(report);
  useEffect(() => {
    reportLatest.current = report;
  });

  if (!isSameFilters(known, current)) {
    setKnown(current);
    // Typing goes on while a report is on its way: only a change from outside replaces the draft.
    if (!isSameFilters({ ...draft, search: draft.search.trim() }, current)) setDraft(current);
  }

  useEffect(() => {
    const wanted = { ...draft, search: draft.search.trim() };
    if (isSameFilters(wanted, current)) return;
    const timer = setTimeout(() => reportLatest.current(wanted), limits.searchQuietMs);
    return () => clearTimeout(timer);
  }, [draft, current]);

  return {
    draft,
    change: (part: Partial<Filters>) => setDraft((before) => ({ ...before, ...part })),
    /** Reports now, without waiting for quiet. */
    flush: () => reportLatest.current({ ...draft, search: draft.search.trim() }),
  };
}

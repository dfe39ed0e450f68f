import { useCallback, useEffect, useRef, useState } from "react";
import { limits } from "#contract/limits.ts";
import { isSameFilters, type Filters } from "../filters.ts";

/**
 * A draft of the filters, which the form shows, and the filters of the page. A change is reported
 * after 500 ms without another change. A new address from elsewhere (Back, the navigation bar)
 * replaces the draft at once.
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
    // Typing continues while a report is pending: only changes from elsewhere replace the draft.
    if (!isSameFilters({ ...draft, search: draft.search.trim() }, current)) setDraft(current);
  }

  useEffect(() => {
    const wanted = { ...draft, search: draft.search.trim() };
    if (isSameFilters(wanted, current)) return;
    const timer = setTimeout(() => reportLatest.current(wanted), limits.searchQuietMs);
    return () => clearTimeout(timer);
  }, [draft, current]);

  const change = useCallback(
    (part: Partial<Filters>) => setDraft((before) => ({ ...before, ...part })),
    [],
  );
  return {
    draft,
    change,
    /** Reports at once. */
    flush: () => reportLatest.current({ ...draft, search: draft.search.trim() }),
  };
}

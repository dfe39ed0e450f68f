import { useCallback, useEffect, useRef, useState } from "react";
import { limits } from "#contract/limits.ts";
import { isSameFilters, type Filters } from "../filters.ts";

/**
 * Returns a draft of the filters, which the form shows. Changes are reported after 500 ms without
 * another change. A URL change from elsewhere, such as Back or the navigation bar, replaces the
 * draft immediately.
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
    // The visitor may type while a report is pending, so only changes from elsewhere replace the
    // draft.
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
    /** Reports the draft immediately. */
    flush: () => reportLatest.current({ ...draft, search: draft.search.trim() }),
  };
}

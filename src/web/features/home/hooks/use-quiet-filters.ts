import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { limits } from "#contract/limits.ts";
import { plainPath } from "#web/lib/language/page-language.ts";
import { isSameFilters, parseFilters, type Filters } from "../filters.ts";

const trimmed = (filters: Filters): Filters => ({ ...filters, search: filters.search.trim() });

/**
 * Returns a draft of the filters, which the form shows. Changes are reported after 500 ms without
 * another change. Any other navigation, such as Back or a link, replaces the draft and drops
 * changes that haven't been reported.
 */
export function useQuietFilters(current: Filters, report: (filters: Filters) => void) {
  const [draft, setDraft] = useState(current);
  /** Filters that the URL has, or will have when the page that was opened last has loaded. */
  const [opened, setOpened] = useState(current);
  const [known, setKnown] = useState(current);
  const reportLatest = useRef(report);
  useEffect(() => {
    reportLatest.current = report;
  });

  if (!isSameFilters(known, current)) {
    setKnown(current);
    // The visitor may type while a reported change loads, so that page doesn't replace the draft.
    if (!isSameFilters(opened, current)) {
      setOpened(current);
      setDraft(current);
    }
  }

  /** True until the navigation to the reported filters has started. */
  const isReporting = useRef(false);
  const send = useCallback((wanted: Filters) => {
    isReporting.current = true;
    setOpened(wanted);
    reportLatest.current(wanted);
  }, []);

  const { location: next } = useNavigation();
  useEffect(() => {
    if (next === undefined) return;
    if (!isReporting.current) {
      const isHome = plainPath(next.pathname) === "/home";
      const filters = isHome ? parseFilters(new URLSearchParams(next.search)) : current;
      setOpened(filters);
      setDraft(filters);
    }
    isReporting.current = false;
    // Only the start of a navigation drops changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [next]);

  useEffect(() => {
    const wanted = trimmed(draft);
    if (isSameFilters(wanted, opened)) return;
    const timer = setTimeout(() => send(wanted), limits.searchQuietMs);
    return () => clearTimeout(timer);
  }, [draft, opened, send]);

  const change = useCallback(
    (part: Partial<Filters>) => setDraft((before) => ({ ...before, ...part })),
    [],
  );
  return {
    draft,
    change,
    /** Reports the draft with this change immediately. */
    changeNow(part: Partial<Filters>) {
      const changed = { ...draft, ...part };
      setDraft(changed);
      send(trimmed(changed));
    },
  };
}

import { useCallback, useMemo, useState } from "react";

/**
 * Selected rows. With `isAllMatching`, all rows that match the filter are selected, on every page.
 */
export interface Selection {
  ids: ReadonlySet<string>;
  isAllMatching: boolean;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects or deselects the rows of this page. */
  togglePage(ids: readonly string[]): void;
  selectAllMatching(): void;
  clear(): void;
}

const none: ReadonlySet<string> = new Set();

export function useSelection(): Selection {
  const [ids, setIds] = useState(none);
  const [isAllMatching, setAllMatching] = useState(false);

  const clear = useCallback(() => {
    setIds(none);
    setAllMatching(false);
  }, []);

  return useMemo(
    () => ({
      ids,
      isAllMatching,
      has: (id) => isAllMatching || ids.has(id),
      toggle: (id) => {
        setAllMatching(false);
        setIds((current) => {
          const next = new Set(current);
          if (!next.delete(id)) next.add(id);
          return next;
        });
      },
      togglePage: (pageIds) => {
        setAllMatching(false);
        setIds((current) => {
          const next = new Set(current);
          const isFull = pageIds.every((id) => next.has(id));
          for (const id of pageIds) {
            if (isFull) next.delete(id);
            else next.add(id);
          }
          return next;
        });
      },
      selectAllMatching: () => setAllMatching(true),
      clear,
    }),
    [ids, isAllMatching, clear],
  );
}

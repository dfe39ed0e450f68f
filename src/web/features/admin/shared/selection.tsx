import { useCallback, useMemo, useState, type ReactNode } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { formatWhole } from "#web/lib/format/format.ts";

/**
 * Selected rows. With `isAllMatching`, all rows that match the filter are selected, on every page.
 */
export interface Selection {
  ids: ReadonlySet<string>;
  isAllMatching: boolean;
  has(id: string): boolean;
  /** Selects or deselects a row. If all matching rows were selected, keeps those of its page. */
  toggle(id: string, pageIds: readonly string[]): void;
  /**
   * Selects or deselects the rows of this page. If all matching rows were selected, deselects all of
   * them.
   */
  togglePage(ids: readonly string[]): void;
  selectAllMatching(): void;
  deselect(earlier: ReadonlySet<string>): void;
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
      toggle: (id, pageIds) => {
        setAllMatching(false);
        setIds((current) => {
          const next = new Set(isAllMatching ? pageIds : current);
          if (!next.delete(id)) next.add(id);
          return next;
        });
      },
      togglePage: (pageIds) => {
        if (isAllMatching) return clear();
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
      deselect: (earlier) =>
        setIds((current) => new Set([...current].filter((id) => !earlier.has(id)))),
      clear,
    }),
    [ids, isAllMatching, clear],
  );
}

/** Ref of the bar and its parts. Moves the focus to the table before they disappear with it. */
const returnFocus = () => () => {
  if (document.activeElement?.matches(".bulk-bar *, [data-closed] *") !== true) return;
  document.querySelector<HTMLElement>(".data-table .tick")?.focus({ preventScroll: true });
};

/** Bar with actions for the selected rows. Stays visible while the list scrolls. */
export function BulkBar({
  selection,
  total,
  noun,
  pageCount,
  children,
}: {
  selection: Selection;
  /** Number of rows that match the filter, on all pages. */
  total: number;
  noun: string;
  /** Number of rows on this page. */
  pageCount: number;
  children: ReactNode;
}) {
  const count = selection.isAllMatching ? total : selection.ids.size;
  if (count === 0) return null;
  const canSelectAll =
    !selection.isAllMatching && total > pageCount && selection.ids.size >= pageCount;
  return (
    <section
      ref={returnFocus}
      aria-label="Bulk actions"
      data-end-bar
      className="bulk-bar sticky z-20 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-ink-3 px-4 py-2.5 shadow-high ring-1 ring-line"
    >
      <p className="tabular font-medium" role="status">
        {selection.isAllMatching
          ? `All ${formatWhole(total)} ${noun} selected`
          : `${formatWhole(count)} selected`}
      </p>
      <Button size="small" kind="ghost" onClick={selection.clear}>
        Clear
      </Button>
      {canSelectAll ? (
        <button
          ref={returnFocus}
          type="button"
          className="min-h-small font-medium text-lamp-text hover:underline"
          onClick={selection.selectAllMatching}
        >
          {`Select all ${formatWhole(total)} that match`}
        </button>
      ) : null}
      <div className="ms-auto flex flex-wrap items-center gap-2">{children}</div>
    </section>
  );
}

/* Some browsers drop the roles of a table with another `display`, as on phones. */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import { ChevronDownIcon } from "lucide-react";
import {
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
} from "react";
import { classNames } from "#web/components/ui/class-names.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { focusItem } from "#web/lib/focus-next-item.ts";
import type { SortOrder } from "./list-params.ts";
import { QueryError } from "./admin-page.tsx";
import type { Selection } from "./selection.tsx";

export interface Column<Row> {
  /** Also the sort key. */
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  isSortable?: boolean;
  /** Numbers are aligned to the right. */
  isNumeric?: boolean;
  /**
   * On phones, rows are cards with the first column as heading and `actions` at the bottom. Other
   * values have the title of their column above them.
   */
  onPhone?: "hide";
  /** Shares the remaining width with the first column. */
  isGrowing?: boolean;
  /** Wraps long content. All other columns are as wide as their content. */
  isWrapping?: boolean;
  className?: string;
  /** Size of the skeleton, if it isn't a line of text. */
  skeletonClassName?: string;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /**
   * Request for the rows. If its first load fails, `failed` and a button replace the table. If a
   * later one fails, they are shown above the old rows.
   */
  query?: ComponentProps<typeof QueryError>["query"] & {
    isLoadingError: boolean;
    isRefetchError: boolean;
    isPlaceholderData: boolean;
  };
  failed?: string;
  /** True while old rows are shown during a refetch. */
  isStale?: boolean;
  /** Undefined while loading. Skeletons of the same height reserve the space. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Returns the name of a row for its checkbox. */
  rowName?: (row: Row) => string;
  empty: ReactNode;
  sort?: SortOrder | null;
  onSort?: (sort: SortOrder | null) => void;
  selection?: Selection;
  skeletonRows?: number;
}

function SortButton<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: SortOrder | null;
  onSort: (sort: SortOrder | null) => void;
}) {
  const isActive = sort?.column === column.id;
  // Descending, then ascending, then the default order.
  const next = !isActive
    ? { column: column.id, isDescending: true }
    : sort.isDescending
      ? { column: column.id, isDescending: false }
      : null;
  return (
    <button
      type="button"
      className={classNames(
        "-mx-2 inline-flex min-h-small items-center gap-1 rounded-sm px-2 font-medium hover:bg-ink-3 hover:text-ink-12",
        isActive && "text-ink-12",
      )}
      onClick={() => onSort(next)}
    >
      {column.title}
      <ChevronDownIcon
        className={classNames(
          "size-3.5 transition-transform",
          !isActive && "opacity-0",
          isActive && !sort.isDescending && "rotate-180",
        )}
      />
    </button>
  );
}

const ariaSort = (sort: SortOrder | null | undefined, column: string) =>
  sort?.column !== column ? undefined : sort.isDescending ? "descending" : "ascending";

/** Moves the focus to the row that takes the place of a removed one with the focus. */
function useRowFocus() {
  const table = useRef<HTMLTableElement>(null);
  const focused = useRef<{ element: Element; index: number } | null>(null);
  const rows = () => [...(table.current?.querySelectorAll("tbody tr") ?? [])];
  useLayoutEffect(() => {
    if (focused.current?.element.isConnected !== false) return;
    const { index } = focused.current;
    focused.current = null;
    // The dialog that asked may still fade out with the focus.
    if (document.activeElement?.matches("body, [data-closed] *") !== true) return;
    focusItem(rows()[index] ?? rows().at(-1));
  });
  const onFocus = ({ target }: FocusEvent) => {
    const row = target.closest("tr");
    // Null in menus and dialogs of the table, which are outside of it.
    if (row !== null) focused.current = { element: target, index: rows().indexOf(row) };
  };
  return { ref: table, onFocus };
}

/**
 * Table that looks like a stack of cards on phones. Only the styles differ, so screen readers
 * always get a table.
 */
export function DataTable<Row>({ query, failed = "", ...table }: TableProps<Row>) {
  const { isLoadingError = false, isRefetchError = false } = query ?? {};
  return (
    <>
      {query !== undefined && (isLoadingError || isRefetchError) ? (
        <QueryError message={failed} query={query} />
      ) : null}
      {isLoadingError ? null : <Rows isStale={query?.isPlaceholderData} {...table} />}
    </>
  );
}

function Rows<Row>(props: Omit<TableProps<Row>, "query" | "failed">) {
  const { label, columns, rows, rowId, rowName, empty, sort, onSort, selection } = props;
  const { isStale = false, skeletonRows = 10 } = props;
  const rowFocus = useRowFocus();
  if (rows !== undefined && rows.length === 0) return <>{empty}</>;
  const pageIds = (rows ?? []).map(rowId);
  const isPageSelected = pageIds.length > 0 && pageIds.every((id) => selection?.has(id));

  return (
    <table
      {...rowFocus}
      role="table"
      aria-label={label}
      aria-busy={rows === undefined || isStale}
      className={classNames("data-table", isStale && "opacity-60")}
    >
      <thead role="rowgroup">
        <tr role="row">
          {selection === undefined ? null : (
            <th scope="col" role="columnheader" className="w-11">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                className="tick"
                disabled={pageIds.length === 0}
                checked={isPageSelected}
                onChange={() => selection.togglePage(pageIds)}
              />
            </th>
          )}
          {columns.map((column, at) => (
            <th
              key={column.id}
              scope="col"
              role="columnheader"
              data-grows={growsAt(column, at)}
              aria-sort={ariaSort(sort, column.id)}
              className={classNames(column.isNumeric === true && "text-end!", column.className)}
            >
              {column.isSortable === true && onSort !== undefined ? (
                <SortButton column={column} sort={sort ?? null} onSort={onSort} />
              ) : (
                column.title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, at) => (
              <SkeletonRow key={at} columns={columns} hasSelection={selection !== undefined} />
            ))
          : rows.map((row) => {
              const id = rowId(row);
              return (
                <tr key={id} role="row" data-selected={selection?.has(id) === true || undefined}>
                  {selection === undefined ? null : (
                    <td role="cell" data-cell="select">
                      <input
                        type="checkbox"
                        aria-label={`Select ${rowName?.(row) ?? "row"}`}
                        className="tick"
                        checked={selection.has(id)}
                        onChange={() => selection.toggle(id, pageIds)}
                      />
                    </td>
                  )}
                  {columns.map((column, at) => (
                    <DataCell key={column.id} column={column} at={at} row={row} />
                  ))}
                </tr>
              );
            })}
      </tbody>
    </table>
  );
}

/** Value of `data-grows`. Absent if the column is as wide as its content. */
const growsAt = <Row,>({ isGrowing }: Column<Row>, at: number) =>
  at === 0 || isGrowing === true ? "" : undefined;

/** Title of a cell in a card. The heading and the actions need none. */
const labelAt = <Row,>({ id, title }: Column<Row>, at: number) =>
  at === 0 || id === "actions" ? undefined : title;

function DataCell<Row>({ column, at, row }: { column: Column<Row>; at: number; row: Row }) {
  const content = column.cell(row);
  return (
    <td
      role="cell"
      data-cell={column.id}
      data-label={labelAt(column, at)}
      data-grows={growsAt(column, at)}
      data-numeric={column.isNumeric}
      data-phone={column.onPhone}
      className={classNames(column.isNumeric === true && "tabular md:text-end", column.className)}
    >
      {column.isWrapping === true ? <div className="wrapping-cell">{content}</div> : content}
    </td>
  );
}

function SkeletonRow<Row>({
  columns,
  hasSelection,
}: {
  columns: readonly Column<Row>[];
  hasSelection: boolean;
}) {
  return (
    <tr role="row">
      {hasSelection ? (
        <td role="cell" data-cell="select">
          <Skeleton className="size-4.5" />
        </td>
      ) : null}
      {columns.map((column, at) => (
        <td
          key={column.id}
          role="cell"
          data-cell={column.id}
          data-label={labelAt(column, at)}
          data-grows={growsAt(column, at)}
          data-numeric={column.isNumeric}
          data-phone={column.onPhone}
          className={column.className}
        >
          <Skeleton
            className={classNames(
              "max-w-full",
              column.skeletonClassName ?? (at === 0 ? "h-5 w-48" : "h-4 w-20"),
            )}
          />
        </td>
      ))}
    </tr>
  );
}

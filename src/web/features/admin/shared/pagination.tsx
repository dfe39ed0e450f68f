import { formatWhole } from "#web/lib/format/format.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";

/** Returns up to `max` ascending page numbers around the current one, between 1 and `pageCount`. */
export function pageNumbers(page: number, pageCount: number, max: number): number[] {
  const size = Math.min(max, pageCount);
  const start = Math.min(Math.max(1, page - Math.floor(size / 2)), pageCount - size + 1);
  return Array.from({ length: size }, (_, index) => start + index);
}

/**
 * Shows "Showing X to Y of N videos", Previous, up to five page numbers and Next. Nothing for a
 * single page.
 */
export function Pagination({
  page,
  pageSize,
  total,
  noun,
  maxButtons,
  onPage,
}: {
  /** Starts at 1. */
  page: number;
  pageSize: number;
  total: number;
  /** Plural noun, such as "videos". */
  noun: string;
  maxButtons: number;
  onPage: (page: number) => void;
}) {
  const pageCount = Math.ceil(total / pageSize);
  if (pageCount <= 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="tabular text-ink-11">{`Showing ${formatWhole(first)} to ${formatWhole(last)} of ${formatWhole(total)} ${noun}`}</p>
      <div className="flex flex-wrap items-center gap-1">
        <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        {pageNumbers(page, pageCount, maxButtons).map((number) => (
          <button
            key={number}
            type="button"
            aria-label={`Page ${number}`}
            aria-current={number === page ? "page" : undefined}
            className={classNames(
              buttonClass({ kind: number === page ? "primary" : "ghost", size: "small" }),
              "tabular min-w-9 px-2! pointer-coarse:min-w-11",
            )}
            onClick={() => onPage(number)}
          >
            {number}
          </button>
        ))}
        <Button size="small" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}

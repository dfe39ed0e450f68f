import { limits } from "#contract/limits.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { Pagination } from "./pagination.tsx";
import { discardThen } from "./unsaved.ts";
import { pageSizes, useLastPage, type ListParams } from "./list-params.ts";

const sizeOptions = pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }));

/** Controls for the page of a list and the rows per page. Both are stored in the URL. */
export function ListPages({
  params,
  total,
  isStale = false,
  noun,
}: {
  params: ListParams;
  total: number;
  /** True while `total` is that of the previous page or filter. */
  isStale?: boolean;
  /** Plural noun, such as "videos". */
  noun: string;
}) {
  useLastPage(params, params.pageSize, isStale ? undefined : total);
  // A list that fits on the smallest page needs neither pages nor a page size.
  if (total <= pageSizes[0]) return null;
  return (
    <div className="mt-4 flex flex-wrap-reverse items-center justify-between gap-3">
      <div className="min-w-0 grow">
        <Pagination
          page={params.page}
          pageSize={params.pageSize}
          total={total}
          noun={noun}
          maxButtons={limits.paginationButtons}
          onPage={(page) => discardThen(() => params.setPage(page))}
        />
      </div>
      <SelectField
        label="Rows per page"
        isLabelHidden
        className="ms-auto"
        value={String(params.pageSize)}
        onChange={({ target: { value } }) => discardThen(() => params.setPageSize(Number(value)))}
        options={sizeOptions}
      />
    </div>
  );
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { auditTopics, type AuditEntry } from "#contract/accounts/audit.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { SearchField, FilterFold } from "../shared/search-field.tsx";
import { momentWords } from "../shared/moments.ts";
import { auditQueryOf } from "./calls.ts";
import { AuditLine } from "./audit-sentence.tsx";

export const handle = adminHandle("Audit log");

const subjects = [
  { value: "", label: "Everything" },
  { value: "sign-ins", label: "Sign-ins" },
  { value: "people", label: "People" },
  { value: "video", label: "Videos" },
  { value: "category", label: "Categories" },
  { value: "tag", label: "Tags" },
  { value: "actor", label: "Actors" },
  { value: "ad", label: "Advertisements" },
  { value: "referral", label: "Referrals" },
  { value: "settings", label: "Settings" },
  { value: "token", label: "API tokens" },
  { value: "bulk", label: "Bulk actions" },
  { value: "backup", label: "Backups" },
];
const isTopic = (value: string) => auditTopics.some((topic) => topic === value);

export function Component() {
  const params = useListParams();
  const filter = {
    user: params.search,
    entity: params.get("entity"),
    topic: params.get("topic"),
    from: params.get("from"),
    to: params.get("to"),
  };
  const { user, ...others } = filter;
  const activeCount = Object.values(others).filter((value) => value !== "").length;
  const isFiltered = user !== "" || activeCount > 0;
  const list = useInfiniteQuery(auditQueryOf(filter));
  const rows = list.data?.pages.flatMap((page) => page.entries);

  return (
    <>
      <PageHeader
        title="Audit log"
        note="Who changed what and when, with the values before and after"
      />
      <div className="mb-3 flex flex-wrap items-end gap-2">
        <SearchField
          label="Search by account"
          placeholder="Search accounts..."
          value={params.search}
          onValue={(search) => params.set({ search })}
          className="min-w-0 flex-1 sm:max-w-60 xl:max-w-xs"
        />
        <FilterFold activeCount={activeCount}>
          <SelectField
            label="Subject"
            isLabelHidden
            className="max-sm:w-full"
            value={filter.topic || filter.entity}
            onChange={({ target: { value } }) =>
              params.set(
                isTopic(value) ? { topic: value, entity: null } : { entity: value, topic: null },
              )
            }
            options={subjects}
          />
          <TextField
            label="From"
            type="date"
            className="max-sm:w-[calc(50%-0.25rem)]"
            value={filter.from}
            onChange={(event) => params.set({ from: event.target.value })}
          />
          <TextField
            label="To"
            type="date"
            className="max-sm:w-[calc(50%-0.25rem)]"
            value={filter.to}
            onChange={(event) => params.set({ to: event.target.value })}
          />
        </FilterFold>
      </div>
      <DataTable
        query={list}
        failed="Failed to load the audit log"
        label="Audit log"
        columns={columns}
        rows={rows}
        rowId={(entry) => entry.id}
        empty={
          <EmptyState
            title={isFiltered ? "No entries match these filters." : "No entries found."}
          />
        }
      />
      {list.isFetchNextPageError ? (
        <QueryError
          className="mt-4"
          message="Failed to load more entries"
          query={{ refetch: list.fetchNextPage, isFetching: list.isFetching }}
        />
      ) : list.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            {list.isFetchingNextPage ? "Loading..." : "Load more"}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Values before and after the change. Collapsed at first. */
function Details({ entry }: { entry: AuditEntry }) {
  const parts = [
    ["Before", entry.before],
    ["After", entry.after],
  ] as const;
  const shown = parts.filter(([, value]) => value !== null && value !== undefined);
  if (shown.length === 0) return null;
  return (
    <details className="open:basis-full">
      <summary className="cursor-pointer py-1 text-ink-11 hover:text-ink-12">Details</summary>
      {shown.map(([name, value]) => (
        <div key={name} className="mb-2">
          <p className="text-ink-11">{name}</p>
          <pre className="max-h-64 overflow-auto rounded-sm bg-ink-3 p-2 text-xs whitespace-pre-wrap break-all">
            {JSON.stringify(value, null, 2)}
          </pre>
        </div>
      ))}
    </details>
  );
}

const columns: Column<AuditEntry>[] = [
  {
    id: "what",
    title: "What",
    className: "align-baseline!",
    cell: (entry) => (
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 wrap-anywhere">
        <AuditLine entry={entry} />
        <Details entry={entry} />
      </div>
    ),
  },
  {
    id: "when",
    title: "When",
    className: "align-baseline!",
    cell: (entry) => (
      <time dateTime={entry.at} className="tabular text-ink-11">
        {momentWords(entry.at)}
      </time>
    ),
  },
];

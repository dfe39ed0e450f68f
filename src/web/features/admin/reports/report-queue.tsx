import { useQuery } from "@tanstack/react-query";
import { FlagIcon, MessageSquareIcon } from "lucide-react";
import { useState } from "react";
import { reportKinds, reportStates, type ReportKind } from "#contract/visitors/reports.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { EmptyIntro } from "../shared/empty-intro.tsx";
import { FilterFold } from "../shared/filter-fold.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { countNote } from "../shared/count-note.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { reportsQuery } from "./api/report-calls.ts";
import { BlockedFilesDialog } from "./blocked-files-dialog.tsx";
import { reportMessages as messages, stateNames } from "./messages.ts";
import { reportColumns } from "./report-columns.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { useCan } from "../shared/use-can.ts";
import { QueryError } from "../shared/query-error.tsx";

type Open = { kind: "report"; id: string } | { kind: "files" };

/** List of reports, optionally of one kind. */
export function ReportQueue({ title, kind }: { title: string; kind?: ReportKind }) {
  const params = useListParams();
  const canEditSettings = useCan()("settings.edit");
  const state = params.get("state") || "unresolved";
  const filter = {
    state: state === "all" ? "" : state,
    kind: kind ?? params.get("kind"),
    assigned: params.get("assigned"),
  };
  const list = useQuery(reportsQuery(filter, params.page, params.pageSize));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const activeCount = [
    state !== "unresolved",
    kind === undefined && filter.kind !== "",
    filter.assigned !== "",
  ].filter(Boolean).length;

  return (
    <>
      <PageHeader
        title={title}
        note={countNote(list, ({ open: count }) =>
          kind === "comment" ? messages.commentsNote(count) : messages.note(count),
        )}
      >
        <Button onClick={() => setOpen({ kind: "files" })}>{messages.blockedFiles}</Button>
      </PageHeader>
      <div className="mb-3 flex flex-wrap gap-2">
        <FilterFold activeCount={activeCount}>
          <SelectField
            label={messages.state}
            isLabelHidden
            className="max-sm:w-full"
            value={state}
            onChange={({ target }) => params.set({ state: target.value })}
            options={[
              { value: "unresolved", label: messages.unresolved },
              ...reportStates.map((value) => ({ value, label: stateNames[value] })),
              { value: "all", label: messages.allStates },
            ]}
          />
          {kind === undefined ? (
            <SelectField
              label={messages.kind}
              isLabelHidden
              className="max-sm:w-full"
              value={filter.kind}
              onChange={({ target }) => params.set({ kind: target.value })}
              options={[
                { value: "", label: messages.allKinds },
                ...reportKinds.map((value) => ({ value, label: messages.kindNames[value] })),
              ]}
            />
          ) : null}
          <SelectField
            label={messages.assigned}
            isLabelHidden
            className="max-sm:w-full"
            value={filter.assigned}
            onChange={({ target }) => params.set({ assigned: target.value })}
            options={[
              { value: "", label: messages.anyone },
              { value: "me", label: messages.me },
              { value: "none", label: messages.unassigned },
            ]}
          />
        </FilterFold>
      </div>
      {list.isError ? (
        <QueryError message={messages.loadFailed} query={list} />
      ) : (
        <DataTable
          label={title}
          columns={reportColumns(({ id }) => setOpen({ kind: "report", id }))}
          rows={list.data?.reports}
          rowId={({ id }) => id}
          isStale={list.isPlaceholderData}
          empty={
            activeCount > 0 ? (
              <EmptyState title={kind === "comment" ? messages.noComments : messages.empty}>
                {kind === "comment" ? messages.noCommentsFilter : messages.emptyFilter}
              </EmptyState>
            ) : (
              <EmptyIntro
                Icon={kind === "comment" ? MessageSquareIcon : FlagIcon}
                title={kind === "comment" ? messages.noComments : messages.empty}
                text={kind === "comment" ? messages.noCommentsHint : messages.emptyHint}
                example={kind === "comment" ? messages.noCommentsExample : messages.emptyExample}
                docs="docs/moderation.md"
              >
                {canEditSettings ? (
                  <a href="/admin/safety" className={buttonClass({})}>
                    {messages.openSafety}
                  </a>
                ) : null}
              </EmptyIntro>
            )
          }
        />
      )}
      <ListPages
        params={params}
        total={list.data?.total ?? 0}
        noun={kind === "comment" ? "comments" : "reports"}
      />
      {open?.kind === "report" ? <ReportDialog id={open.id} onClose={close} /> : null}
      {open?.kind === "files" ? <BlockedFilesDialog onClose={close} /> : null}
    </>
  );
}

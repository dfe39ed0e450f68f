import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { DownloadIcon } from "lucide-react";
import { importFields, type ImportDetails } from "#contract/videos/imports.ts";
import { Badge, type BadgeTone } from "#web/components/ui/badge.tsx";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { QueryError } from "../shared/admin-page.tsx";
import { fieldTitle } from "#contract/field-words.ts";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { DownloadLink } from "../shared/file-button.tsx";
import {
  cancelImport,
  checkImport,
  importQuery,
  importsKey,
  isInProgress,
  startImport,
} from "./calls.ts";
import { kindNames, stateNames } from "./names.ts";

type Row = ImportDetails["problemRows"][number];

const columns: readonly Column<Row>[] = [
  {
    id: "name",
    title: "Row",
    cell: ({ name }) => (
      <span dir="auto" className="break-all">
        {name}
      </span>
    ),
  },
  {
    id: "line",
    title: "Line",
    isNumeric: true,
    cell: ({ line }) => line.toLocaleString(),
  },
  {
    id: "problem",
    title: "Problem",
    isGrowing: true,
    cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span>,
  },
];

/** Lists the skipped rows with the reasons. */
function ImportProblems({ job }: { job: ImportDetails }) {
  const { problemRows } = job;
  const isSite = job.kind === "site";
  if (problemRows.length === 0) return null;
  return (
    <section aria-labelledby="import-problems">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 id="import-problems" className="font-medium">
            Rows with problems
          </h3>
          <p className="text-ink-11">
            {isSite
              ? "These items were left out. Fix the problems and import the source again to add them."
              : "These rows were skipped. Download them, fix the problems and import that file."}{" "}
            {job.problems > problemRows.length
              ? `Showing the first ${problemRows.length.toLocaleString()}.`
              : ""}
          </p>
        </div>
        {isSite ? null : (
          <DownloadLink
            href={`/api/admin/imports/${job.id}/problems`}
            className={buttonClass({ kind: "quiet" })}
          >
            <DownloadIcon aria-hidden="true" className="size-4" />
            Download these rows
          </DownloadLink>
        )}
      </div>
      <DataTable
        label="Rows with problems"
        columns={columns}
        rows={problemRows}
        rowId={({ line }) => String(line)}
        empty={null}
      />
    </section>
  );
}

/** Lists what was repaired or left out in videos of another site. */
function SiteNotes({ job: { notedRows } }: { job: ImportDetails }) {
  if (notedRows.length === 0) return null;
  return (
    <section aria-labelledby="import-notes">
      <h3 id="import-notes" className="mb-3 font-medium">
        Repaired
      </h3>
      <ul className="divide-y divide-line">
        {notedRows.map(({ line, name, note }) => (
          <li key={line} className="py-2">
            <p dir="auto" className="break-words">
              {name}
            </p>
            <p className="wrap-anywhere text-ink-11 first-letter:uppercase">{note}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Mapping = (string | null)[];

/** Maps each column of the file to a field. */
function ColumnMapping({
  job,
  mapping,
  onMapping,
}: {
  job: ImportDetails;
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
}) {
  const fields: readonly string[] = job.kind === "site" ? [] : importFields[job.kind];
  return (
    <section aria-labelledby="import-columns">
      <h3 id="import-columns" className="font-medium">
        Columns
      </h3>
      <p className="mb-3 text-ink-11">Choose a field for each column in the file.</p>
      <ul className="divide-y divide-line">
        {job.columns.map((column, at) => (
          // Several columns may have the same name, so the position is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className="grid items-center gap-x-4 gap-y-1 py-2 sm:grid-cols-[1fr_14rem]">
            <div className="min-w-0">
              <p className="font-medium break-words">{column === "" ? `#${at + 1}` : column}</p>
              <p className="truncate text-ink-11" dir="auto">
                {job.sample
                  .map((cells) => cells[at] ?? "")
                  .filter((cell) => cell !== "")
                  .join(" · ")}
              </p>
            </div>
            <SelectField
              label={`Field for column ${column === "" ? `#${at + 1}` : column}`}
              isLabelHidden
              value={mapping[at] ?? ""}
              onChange={({ target }) =>
                onMapping(
                  mapping.map((field, each) => (each === at ? target.value || null : field)),
                )
              }
              options={[
                { value: "", label: "Skip" },
                ...fields.map((value) => ({ value, label: fieldTitle(value) })),
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows one import with its columns, changes and problems. */
export function ImportView({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useQuery(importQuery(id));
  if (read.isLoadingError) {
    return <QueryError message="Failed to load the import" query={read} />;
  }
  if (read.data === undefined) return <Skeleton className="h-64 w-full" />;
  return <Details job={read.data} onClose={onClose} />;
}

function Details({ job, onClose }: { job: ImportDetails; onClose: () => void }) {
  const client = useQueryClient();
  const [mapping, setMapping] = useState(job.mapping);
  const { state } = job;
  const onSettled = () => client.invalidateQueries({ queryKey: importsKey });
  // Other pages must show the imported entries.
  useEffect(() => {
    if (state === "done") void client.invalidateQueries({ queryKey: ["admin"] });
  }, [state, client]);

  const checking = useMutation({
    mutationFn: () => checkImport(job.id, mapping),
    meta: { failure: "Failed to check the rows" },
    onSettled,
  });
  const starting = useMutation({
    mutationFn: () => startImport(job.id),
    meta: { failure: "Failed to start the import" },
    onSettled,
  });
  const cancelling = useMutation({
    mutationFn: () => cancelImport(job.id),
    meta: { failure: "Failed to cancel the import" },
    onSettled,
  });

  const isOpen = state === "draft" || state === "checked";
  const isSite = job.kind === "site";
  const isChanged = mapping.some((field, at) => field !== job.mapping[at]);
  const isBusy = checking.isPending || starting.isPending;
  const changes = job.created + job.updated;
  const hasWork = changes > 0 || job.redirects !== null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-medium break-all">
          {kindNames[job.kind]}: {job.fileName}
        </h3>
        <span role="status">
          <Badge tone={toneOf(job)}>
            {state === "done" && job.problems > 0
              ? `Done with ${countOf(job.problems, "problem")}`
              : stateNames[state]}
          </Badge>
        </span>
      </div>
      {job.failureReason === null ? null : <p className="text-danger-text">{job.failureReason}</p>}
      {job.note === null || state !== "checked" ? null : <p className="text-ink-11">{job.note}</p>}
      {isInProgress(job) ? (
        <div className="flex flex-wrap items-center gap-4">
          <progress
            className="meter min-w-32 flex-1"
            max={Math.max(1, job.total)}
            value={job.done}
            aria-label={stateNames[state]}
          />
          <span className="tabular text-ink-11">{`${job.done.toLocaleString()} of ${job.total.toLocaleString()}`}</span>
        </div>
      ) : null}
      {state === "draft" ? null : <Counts job={job} />}
      <div className="flex flex-wrap gap-2">
        {state === "checked" && !isChanged && hasWork ? (
          <Button kind="primary" disabled={isBusy} onClick={() => starting.mutate()}>
            {starting.isPending
              ? "Starting..."
              : changes === 0
                ? "Add old addresses"
                : `Import ${countOf(changes, isSite ? "video" : "row")}`}
          </Button>
        ) : null}
        {isOpen && (isChanged || state === "draft") ? (
          <Button kind="primary" disabled={isBusy} onClick={() => checking.mutate()}>
            {state === "draft" ? "Check the rows" : "Check again"}
          </Button>
        ) : null}
        {isOpen || isInProgress(job) ? (
          <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
            Cancel import
          </Button>
        ) : (
          <Button onClick={onClose}>{isSite ? "New import" : "Import another file"}</Button>
        )}
      </div>
      {state === "checked" && !hasWork ? <p>Nothing to change.</p> : null}
      {isOpen && !isSite ? (
        <ColumnMapping job={job} mapping={mapping} onMapping={setMapping} />
      ) : null}
      <ImportProblems job={job} />
      <SiteNotes job={job} />
      {isSite && job.total > 0 ? (
        <div>
          <DownloadLink
            href={`/api/admin/imports/${job.id}/problems`}
            className={buttonClass({ kind: "quiet" })}
          >
            <DownloadIcon aria-hidden="true" className="size-4" />
            Download the report
          </DownloadLink>
        </div>
      ) : null}
    </div>
  );
}

function toneOf({ state, problems }: ImportDetails): BadgeTone {
  if (state === "failed") return "danger";
  if (state !== "done") return "neutral";
  return problems > 0 ? "lamp" : "done";
}

const counts = ["created", "updated", "unchanged", "problems"] as const;
const countNames = {
  created: "New",
  updated: "Changed",
  unchanged: "Unchanged",
  problems: "Problems",
};

function Counts({ job }: { job: ImportDetails }) {
  const isPast = job.state === "done" || job.state === "cancelled" || job.state === "failed";
  return (
    <section aria-label={isPast ? "Import results" : "Preview of changes"}>
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {counts.map((count) => (
          <div key={count} className="flex flex-col-reverse rounded-md bg-ink-2 p-3">
            <dt className="text-ink-11">{countNames[count]}</dt>
            <dd className="tabular text-xl font-semibold">{job[count].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import { DownloadIcon } from "lucide-react";
import type { ImportDetails } from "#contract/videos/imports.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { DownloadLink } from "../shared/download-link.tsx";

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
    cell: ({ line }) => (
      <>
        <span className="text-ink-11 md:hidden">Line </span>
        {line.toLocaleString()}
      </>
    ),
  },
  {
    id: "problem",
    title: "Problem",
    isGrowing: true,
    cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span>,
  },
];

/** Lists the skipped rows with the reasons. */
export function ImportProblems({ job }: { job: ImportDetails }) {
  const { problemRows } = job;
  if (problemRows.length === 0) return null;
  return (
    <section aria-labelledby="import-problems">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 id="import-problems" className="font-medium">
            Rows with problems
          </h3>
          <p className="text-ink-11">
            These rows were skipped. Download them, fix the problems and import that file.{" "}
            {job.problems > problemRows.length
              ? `Showing the first ${problemRows.length.toLocaleString()}.`
              : ""}
          </p>
        </div>
        <DownloadLink
          href={`/api/admin/imports/${job.id}/problems`}
          className={buttonClass({ kind: "quiet" })}
        >
          <DownloadIcon aria-hidden="true" className="size-4" />
          Download these rows
        </DownloadLink>
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

import { useQuery } from "@tanstack/react-query";
import { DownloadIcon } from "lucide-react";
import { useSearchParams } from "react-router";
import { csvActions, csvKinds, importActions } from "#contract/videos/imports.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { PageHeader, QueryError, adminHandle, useCan } from "../shared/admin-page.tsx";
import { Section } from "../shared/section.tsx";
import { momentWords } from "../shared/moments.ts";
import { discardThen } from "../shared/unsaved.ts";
import { DownloadLink } from "../shared/file-button.tsx";
import { importsQuery } from "./calls.ts";
import { ImportView } from "./import-view.tsx";
import { kindNames, stateNames } from "./names.ts";
import { NewImport } from "./new-import.tsx";
import { NewSiteImport } from "./new-site-import.tsx";
import { WatchedFolder } from "./watched-folder.tsx";

export const handle = adminHandle("Import and export");

export function Component() {
  const can = useCan();
  const [params, setParams] = useSearchParams();
  const id = params.get("import");
  const show = (next: string | null) => setParams(next === null ? {} : { import: next });
  const readable = csvKinds.filter((kind) => can(csvActions[kind].read));
  const editable = csvKinds.filter((kind) => can(csvActions[kind].edit));
  return (
    <>
      <PageHeader title="Import and export" note="Import and export data as CSV files" />
      <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-8">
        <Section
          title="Export"
          hint="One file per type. You can edit the file and import it again."
        >
          <ul className="flex flex-wrap gap-2">
            {readable.map((kind) => (
              <li key={kind}>
                <DownloadLink
                  href={`/api/admin/export/${kind}`}
                  aria-label={`Export ${kind}`}
                  className={buttonClass({ kind: "quiet" })}
                >
                  <DownloadIcon aria-hidden="true" className="size-4" />
                  {kindNames[kind]}
                </DownloadLink>
              </li>
            ))}
          </ul>
        </Section>
        {editable.length === 0 ? null : (
          <Section
            title="Import"
            hint="You can review all changes before they're made. Rows that match an existing ID or slug update it. All others create a new entry."
          >
            {id === null ? (
              <NewImport kinds={editable} onCreated={show} />
            ) : (
              <ImportView key={id} id={id} onClose={() => show(null)} />
            )}
          </Section>
        )}
        {can(importActions.site.edit) && id === null ? (
          <Section
            title="From another site"
            hint="Imports a yt-dlp archive, a PeerTube export or a plain folder from the server's import folder, with dates, captions, chapters and thumbnails. You can review everything before it starts."
          >
            <NewSiteImport onCreated={show} />
          </Section>
        ) : null}
        {can(importActions.site.edit) && id === null ? <WatchedFolder /> : null}
        {editable.length > 0 && id === null ? (
          <LatestImports onOpen={(job) => discardThen(() => show(job))} />
        ) : null}
      </div>
    </>
  );
}

function LatestImports({ onOpen }: { onOpen: (id: string) => void }) {
  const read = useQuery(importsQuery);
  const { data } = read;
  if (read.isLoadingError) {
    return (
      <Section title="Latest imports">
        <QueryError message="Failed to load the latest imports" query={read} />
      </Section>
    );
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <Section title="Latest imports">
      <ul className="divide-y divide-line">
        {data.map((job) => (
          <li key={job.id} className="flex flex-wrap items-center justify-between gap-x-6 py-1">
            <button
              type="button"
              className="min-h-11 min-w-0 text-start break-all underline-offset-4 hover:underline"
              onClick={() => onOpen(job.id)}
            >
              {kindNames[job.kind]}: {job.fileName}
            </button>
            <span className="flex items-center gap-4 text-ink-11">
              <time dateTime={job.createdAt} className="tabular">
                {momentWords(job.createdAt)}
              </time>
              <Badge tone={job.state === "failed" ? "danger" : "neutral"}>
                {stateNames[job.state]}
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

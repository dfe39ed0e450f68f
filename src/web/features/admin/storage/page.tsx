import { queryOptions, useQuery } from "@tanstack/react-query";
import { adminStorage, type AdminStorage } from "#contract/lists/admin-statistics.ts";
import { EmptyState } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { adminCall } from "../shared/admin-api.ts";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { Section } from "../shared/section.tsx";

export const handle = adminHandle("Storage");

const storageQuery = queryOptions({
  queryKey: ["admin", "storage"],
  queryFn: () => adminCall("/api/admin/storage", adminStorage),
});

interface Usage {
  originalBytes: number;
  renditionBytes: number;
}
const totalOf = (usage: Usage) => usage.originalBytes + usage.renditionBytes;

function sizes<Row extends Usage>(): Column<Row>[] {
  const column = (id: string, title: string, bytesOf: (row: Row) => number): Column<Row> => ({
    id,
    title,
    isNumeric: true,
    cell: (row) => formatFileSize(bytesOf(row)),
  });
  return [
    column("originals", "Originals", (row) => row.originalBytes),
    column("renditions", "Renditions", (row) => row.renditionBytes),
    column("total", "Total", totalOf),
  ];
}

const userColumns: readonly Column<AdminStorage["users"][number]>[] = [
  {
    id: "user",
    title: "User",
    cell: ({ name, videos }) => (
      <>
        <span className="font-medium break-all">{name ?? "No user"}</span>
        <span className="block text-ink-11">{countOf(videos, "video")}</span>
      </>
    ),
  },
  ...sizes<AdminStorage["users"][number]>(),
];

const videoColumns: readonly Column<AdminStorage["videos"][number]>[] = [
  {
    id: "video",
    title: "Video",
    cell: ({ id, title }) => (
      <a
        href={`/admin/videos/${id}`}
        className="inline-flex min-h-small max-w-full items-center font-medium wrap-anywhere hover:underline"
      >
        {title}
      </a>
    ),
  },
  ...sizes<AdminStorage["videos"][number]>(),
];

export function Component() {
  const read = useQuery(storageQuery);
  const { data } = read;
  const empty = <EmptyState title="No videos found." />;
  return (
    <>
      <PageHeader title="Storage" note="Media storage by user and by video" />
      {read.isError ? <QueryError message="Failed to load storage usage" query={read} /> : null}
      {read.isLoadingError ? null : (
        <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-8">
          <Totals storage={data} />
          <Section title="By user" hint="The user who uploaded each video.">
            <DataTable
              label="By user"
              columns={userColumns}
              rows={data?.users}
              rowId={({ id }) => id ?? ""}
              skeletonRows={2}
              empty={empty}
            />
          </Section>
          <Section title="Largest videos">
            <DataTable
              label="Largest videos"
              columns={videoColumns}
              rows={data?.videos}
              rowId={({ id }) => id}
              skeletonRows={5}
              empty={empty}
            />
          </Section>
        </div>
      )}
    </>
  );
}

function Totals({ storage }: { storage: AdminStorage | undefined }) {
  const facts: [string, number | null | undefined][] = [
    ["Total", storage === undefined ? undefined : totalOf(storage) + storage.trashBytes],
    ["Originals", storage?.originalBytes],
    ["Renditions", storage?.renditionBytes],
    ["Trash", storage?.trashBytes],
    ["Free", storage?.freeBytes],
  ];
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-5">
      {facts.map(([name, bytes]) =>
        bytes === null ? null : (
          <div key={name} className="rounded-md bg-ink-2 p-3">
            <dt className="text-ink-11">{name}</dt>
            <dd className="tabular text-lg font-semibold">
              {bytes === undefined ? "…" : formatFileSize(bytes)}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

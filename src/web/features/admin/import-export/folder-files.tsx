import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { CheckList } from "../shared/check-list.tsx";
import { folderQuery } from "./calls.ts";
import { QueryError } from "../shared/query-error.tsx";

/** Lets the user choose files from the import folder. */
export function FolderFiles({
  chosen,
  onChosen,
}: {
  chosen: readonly string[];
  onChosen: (paths: string[]) => void;
}) {
  const { data, isError, isFetching, refetch } = useQuery(folderQuery);
  if (isError) {
    return (
      <QueryError message="Failed to read the import folder" query={{ refetch, isFetching }} />
    );
  }
  if (data === undefined) return <Skeleton className="h-24 w-full" />;
  if (data.files === null)
    return (
      <p className="text-ink-11">
        This server doesn't have an import folder. Its operator can set IMPORT_DIR (see
        docs/operating/configuring.md).
      </p>
    );
  if (data.files.length === 0) return <p className="text-ink-11">The import folder is empty.</p>;
  return (
    <>
      <CheckList
        legend="Files"
        options={data.files.map(({ path, sizeBytes }) => ({
          value: path,
          label: path,
          note: formatFileSize(sizeBytes),
        }))}
        chosen={chosen}
        onChosen={onChosen}
      />
      {data.hasMore ? (
        <p className="text-ink-11">More files will appear after you import these.</p>
      ) : null}
    </>
  );
}

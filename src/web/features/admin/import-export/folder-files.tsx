import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { CheckList } from "../shared/check-list.tsx";
import { folderQuery } from "./api/import-calls.ts";
import { exchangeMessages as messages } from "./messages.ts";
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
    return <QueryError message={messages.folderFailed} query={{ refetch, isFetching }} />;
  }
  if (data === undefined) return <Skeleton className="h-24 w-full" />;
  if (data.files === null) return <p className="text-ink-11">{messages.folderNone}</p>;
  if (data.files.length === 0) return <p className="text-ink-11">{messages.folderEmpty}</p>;
  return (
    <>
      <CheckList
        legend={messages.folderFiles}
        options={data.files.map(({ path, sizeBytes }) => ({
          value: path,
          label: path,
          note: formatFileSize(sizeBytes),
        }))}
        chosen={chosen}
        onChosen={onChosen}
      />
      {data.hasMore ? <p className="text-ink-11">{messages.folderMore}</p> : null}
    </>
  );
}

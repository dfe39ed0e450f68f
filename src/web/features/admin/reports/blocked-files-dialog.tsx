import { useMutation, useQuery } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { QueryError } from "../shared/query-error.tsx";
import { useCan } from "../shared/use-can.ts";
import { allowFile, blockedFilesQuery, reportsKey } from "./calls.ts";

/** Lists files that can't be uploaded again. */
export function BlockedFilesDialog({ onClose }: { onClose: () => void }) {
  const can = useCan();
  const list = useQuery(blockedFilesQuery);
  const allowing = useMutation({
    mutationFn: allowFile,
    meta: {
      success: "File unblocked",
      failure: "Failed to unblock the file",
      refreshes: reportsKey,
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title="Blocked files"
      description="These files can't be uploaded again. Files are matched by content hash."
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {list.isError ? <QueryError message="Failed to load the blocked files" query={list} /> : null}
      {list.data?.length === 0 ? <p className="text-ink-11">No blocked files.</p> : null}
      <ul className="divide-y divide-line">
        {list.data?.map((file) => (
          <li key={file.sha256} className="flex flex-wrap items-center gap-3 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">
                <bdi>{file.videoTitle}</bdi>
              </p>
              <p className="text-sm break-all text-ink-11">
                {formatFileSize(file.sizeBytes)} · {file.sha256.slice(0, 16)} · {file.blockedBy}
              </p>
            </div>
            {can("reports.handle") ? (
              <Button
                size="small"
                disabled={allowing.isPending}
                onClick={() => allowing.mutate(file.sha256)}
              >
                Unblock
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

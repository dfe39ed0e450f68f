import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { notify } from "../shared/notices.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { useCan } from "../shared/use-can.ts";
import { allowFile, blockedFilesQuery, reportsKey } from "./api/report-calls.ts";
import { reportMessages as messages } from "./messages.ts";

/** Lists files that can't be uploaded again. */
export function BlockedFilesDialog({ onClose }: { onClose: () => void }) {
  const can = useCan();
  const client = useQueryClient();
  const list = useQuery(blockedFilesQuery);
  const allowing = useMutation({
    mutationFn: allowFile,
    onSuccess: () => notify.success(messages.allowed),
    meta: { failure: messages.allowFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: reportsKey }),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={messages.blockedFiles}
      description={messages.blockedIntro}
      footer={
        <Button kind="primary" onClick={onClose}>
          {messages.done}
        </Button>
      }
    >
      {list.isError ? <QueryError message={messages.blockedFailed} query={list} /> : null}
      {list.data?.length === 0 ? <p className="text-ink-11">{messages.noBlockedFiles}</p> : null}
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
                {messages.allow}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

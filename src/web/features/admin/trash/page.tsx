import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RemovedVideo } from "#contract/videos/trash.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { adminHandle } from "../shared/admin-handle.ts";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { PageHeader } from "../shared/page-header.tsx";
import { eraseVideo, restoreVideo, trashQueryOf } from "./api/trash-calls.ts";
import { trashMessages as messages } from "./messages.ts";
import { QueryError } from "../shared/query-error.tsx";

export const handle = adminHandle(messages.title);

/** Removed videos, which can be restored or deleted permanently. */
export function Component() {
  const client = useQueryClient();
  const params = useListParams();
  const list = useQuery(trashQueryOf(params.page, params.pageSize));
  const refresh = () => client.invalidateQueries({ queryKey: ["admin"] });

  const restoring = useMutation({
    mutationFn: ({ id }: RemovedVideo) => restoreVideo(id),
    onSuccess: (_, { title }) => notify.success(messages.restored(title)),
    meta: { failure: messages.restoreFailed },
    onSettled: refresh,
  });
  const erasing = useMutation({
    mutationFn: ({ id }: RemovedVideo) => eraseVideo(id),
    meta: { failure: messages.eraseFailed },
    onSettled: refresh,
  });
  const erase = async (video: RemovedVideo) => {
    const hasAgreed = await confirmAction(messages.askErase(video.title), {
      confirmLabel: messages.erase,
      isDanger: true,
    });
    if (hasAgreed) erasing.mutate(video);
  };
  const columns = trashColumns({
    restore: (video) => restoring.mutate(video),
    erase: (video) => void erase(video),
  });

  if (list.isError) {
    return (
      <>
        <PageHeader title={messages.title} />
        <QueryError message={messages.loadFailed} query={list} />
      </>
    );
  }
  const { data } = list;
  return (
    <>
      <PageHeader
        title={messages.title}
        note={data === undefined ? null : messages.note(data.total, formatFileSize(data.sizeBytes))}
      />
      {data === undefined ? null : (
        <p className="mb-3 text-ink-11">{messages.hint(data.keptDays)}</p>
      )}
      <DataTable
        label={messages.title}
        columns={columns}
        rows={data?.videos}
        rowId={(video) => video.id}
        isStale={list.isPlaceholderData}
        empty={<EmptyState title={messages.empty} />}
      />
      <ListPages params={params} total={data?.total ?? 0} noun="videos" />
    </>
  );
}

function trashColumns(actions: {
  restore: (video: RemovedVideo) => void;
  erase: (video: RemovedVideo) => void;
}): Column<RemovedVideo>[] {
  return [
    {
      id: "title",
      title: "Video",
      cell: (video) => <p className="title-lines font-medium wrap-anywhere">{video.title}</p>,
    },
    {
      id: "removed",
      title: "Removed",
      isWrapping: true,
      cell: (video) => (
        <div className="min-w-0">
          <p>{sinceWords(video.removedAt)}</p>
          <p className="truncate text-ink-11">{`by ${video.removedBy}`}</p>
        </div>
      ),
    },
    {
      id: "goes",
      title: "Files deleted",
      cell: (video) => (
        <span className="tabular text-ink-11">
          {/* Phones show no column headings. */}
          <span className="md:hidden">Files deleted </span>
          {dayWords(video.goesAt)}
        </span>
      ),
    },
    {
      id: "size",
      title: "Size",
      isNumeric: true,
      cell: (video) => formatFileSize(video.sizeBytes),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (video) => (
        <div className="flex justify-end gap-4">
          <Button
            size="small"
            aria-label={`${messages.restore} ${video.title}`}
            onClick={() => actions.restore(video)}
          >
            {messages.restore}
          </Button>
          <Button
            size="small"
            kind="ghost"
            className="text-danger-text! hover:bg-danger-soft"
            aria-label={`${messages.erase} ${video.title}`}
            onClick={() => actions.erase(video)}
          >
            {messages.erase}
          </Button>
        </div>
      ),
    },
  ];
}

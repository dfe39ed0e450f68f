import { useMutation, useQuery, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ClipFate } from "#contract/videos/clips.ts";
import type { RemovedVideo } from "#contract/videos/trash.ts";
import { Button } from "#web/components/ui/button.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { notify } from "../shared/notices.tsx";
import { PageHeader, adminHandle, countNote } from "../shared/admin-page.tsx";
import { adminSend, withTicket } from "../shared/admin-api.ts";
import { Thumbnail } from "../videos/thumbnail.tsx";
import { queryString } from "#web/lib/api/http.ts";
import { confirmDeletion } from "../videos/clips/confirm-deletion.tsx";
import { listTrash, restoreVideo } from "../videos/calls.ts";

/** @param page from 1. */
const trashQueryOf = (page: number, pageSize: number) =>
  queryOptions({
    queryKey: ["admin", "trash", page, pageSize],
    queryFn: () => listTrash(pageSize, (page - 1) * pageSize),
    placeholderData: keepPreviousData,
  });

const eraseVideo = (id: string, clips?: ClipFate): Promise<void> =>
  adminSend(`/api/admin/trash/${id}${queryString({ clips })}`, { method: "DELETE" });

const emptyTrash = (clips?: ClipFate): Promise<void> =>
  adminSend(`/api/admin/trash${queryString({ clips })}`, { method: "DELETE" });

export const handle = adminHandle("Trash");

/** Removed videos, which can be restored or deleted permanently. */
export function Component() {
  const params = useListParams();
  const list = useQuery(trashQueryOf(params.page, params.pageSize));

  const restoring = useMutation({
    mutationFn: ({ id }: RemovedVideo) => restoreVideo(id),
    onSuccess: (_, { title }) => notify.success(`Restored "${title}"`),
    meta: { failure: "Failed to restore video", refreshes: ["admin"] },
  });
  const erasing = useMutation({
    mutationFn: ({ video, clips }: { video: RemovedVideo; clips?: ClipFate }) =>
      eraseVideo(video.id, clips),
    meta: { failure: "Failed to delete video", refreshes: ["admin"] },
  });
  const erase = async (video: RemovedVideo) => {
    const answer = await confirmDeletion(
      `Are you sure you want to delete "${video.title}" and its files forever? This action cannot be undone.`,
      "Delete forever",
      video.clips > 0,
    );
    if (answer !== null) erasing.mutate({ video, ...answer });
  };
  const emptying = useMutation({
    mutationFn: ({ clips }: { clips?: ClipFate }) => emptyTrash(clips),
    meta: { failure: "Failed to empty the trash", refreshes: ["admin"] },
  });
  const empty = async () => {
    const answer = await confirmDeletion(
      "Are you sure you want to delete all videos in the trash and their files forever? This action cannot be undone.",
      "Empty trash",
      list.data?.hasClips === true,
    );
    if (answer !== null) emptying.mutate(answer);
  };
  const columns = trashColumns({
    restore: (video) => restoring.mutate(video),
    erase: (video) => void erase(video),
  });

  const { data } = list;
  return (
    <>
      <PageHeader
        title="Trash"
        note={countNote(
          list,
          ({ total, sizeBytes }) => `${countOf(total, "video")}, ${formatFileSize(sizeBytes)}`,
        )}
      >
        {data === undefined || data.total === 0 ? null : (
          <Button
            kind="ghost"
            className="text-danger-text! hover:bg-danger-soft"
            disabled={emptying.isPending}
            onClick={() => void empty()}
          >
            Empty trash
          </Button>
        )}
      </PageHeader>
      {data === undefined ? null : (
        <p className="mb-3 text-ink-11">
          {data.keptDays === 0
            ? "Deleted videos are removed immediately. You can change this in Settings."
            : `You can restore a deleted video for ${countOf(data.keptDays, "day")}. After that, its files are deleted.`}
        </p>
      )}
      <DataTable
        query={list}
        failed="Failed to load the trash"
        label="Trash"
        columns={columns}
        rows={data?.videos}
        rowId={(video) => video.id}
        empty={<EmptyState title="The trash is empty." />}
      />
      <ListPages
        params={params}
        total={data?.total ?? 0}
        isStale={list.isPlaceholderData}
        noun="videos"
      />
    </>
  );
}

/**
 * Thumbnail of a removed video. Its address needs a ticket, because only users may load it and the
 * browser requests it without the page's headers.
 */
function RemovedThumbnail({ video: { thumbnail, duration } }: { video: RemovedVideo }) {
  const address = useQuery({
    queryKey: ["admin", "trash", "thumbnail", thumbnail],
    queryFn: () => (thumbnail === null ? null : withTicket(thumbnail)),
    staleTime: Infinity,
  });
  return <Thumbnail src={address.data ?? null} durationS={duration} className="w-20 shrink-0" />;
}

function trashColumns(actions: {
  restore: (video: RemovedVideo) => void;
  erase: (video: RemovedVideo) => void;
}): Column<RemovedVideo>[] {
  return [
    {
      id: "title",
      title: "Video",
      skeletonClassName: "h-11 w-56",
      cell: (video) => (
        <div className="flex min-w-0 items-center gap-3">
          <RemovedThumbnail video={video} />
          <p className="title-lines min-w-0 font-medium wrap-anywhere">{video.title}</p>
        </div>
      ),
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
      cell: (video) => <span className="tabular text-ink-11">{dayWords(video.goesAt)}</span>,
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
            aria-label={`Restore ${video.title}`}
            onClick={() => actions.restore(video)}
          >
            Restore
          </Button>
          <Button
            size="small"
            kind="ghost"
            className="text-danger-text! hover:bg-danger-soft"
            aria-label={`Delete forever ${video.title}`}
            onClick={() => actions.erase(video)}
          >
            Delete forever
          </Button>
        </div>
      ),
    },
  ];
}

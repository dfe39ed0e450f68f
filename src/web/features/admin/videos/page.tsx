import { useQuery } from "@tanstack/react-query";
import { UploadIcon } from "lucide-react";
import { useEffect, useState } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { BulkBar, useSelection } from "../shared/selection.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, adminHandle, useCan } from "../shared/admin-page.tsx";
import { useUploads } from "../upload/queue-context.tsx";
import { readVideoListParams, videoListQuery } from "./calls.ts";
import { BulkTools, useBulk, BulkProgress } from "./bulk/bulk-tools.tsx";
import { EditVideoDialog } from "./edit-video-dialog.tsx";
import { useLiveList } from "./live-list.ts";
import { RestrictionsDialog } from "./restrictions-dialog.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { ThumbnailDialog } from "./thumbnail-dialog.tsx";
import { VisibilityDialog } from "./visibility-dialog.tsx";
import { useLinkedVideo } from "./use-linked-video.ts";
import { useVideoActions } from "./use-video-actions.ts";
import { videoColumns } from "./video-columns.tsx";
import { VideoFilters } from "./video-filters.tsx";

export const handle = adminHandle("Videos");

interface OpenDialog {
  kind: "edit" | "schedule" | "thumbnail" | "restrictions" | "visibility";
  video: Video;
}

const dialogs = {
  edit: EditVideoDialog,
  schedule: ScheduleDialog,
  thumbnail: ThumbnailDialog,
  restrictions: RestrictionsDialog,
  visibility: VisibilityDialog,
};

const hasClips = (videos: readonly Video[]): boolean =>
  videos.some(({ clipCount = 0 }) => clipCount > 0);

export function Component() {
  const params = useListParams();
  const query = readVideoListParams(params);
  const list = useQuery(videoListQuery(query));
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const linked = useLinkedVideo(params, (video) => setOpen({ kind: "edit", video }));
  const uploads = useUploads();
  const selection = useSelection();
  const actions = useVideoActions((id) => selection.deselect(new Set([id])));
  const bulk = useBulk();
  useLiveList(() => void bulk.refresh());

  const can = useCan();
  const columns = videoColumns(can, {
    edit: (video) => setOpen({ kind: "edit", video }),
    schedule: (video) => setOpen({ kind: "schedule", video }),
    changeThumbnail: (video) => setOpen({ kind: "thumbnail", video }),
    restrict: (video) => setOpen({ kind: "restrictions", video }),
    changeVisibility: (video) => setOpen({ kind: "visibility", video }),
    togglePublished: (video) => void actions.togglePublished(video),
    remove: (video) => void actions.remove(video),
    retry: actions.retry,
    unschedule: actions.unschedule,
  });

  // A selection is only valid for the filter it was made with.
  const filterText = JSON.stringify(query.filter);
  const { clear } = selection;
  useEffect(() => clear(), [filterText, clear]);

  useEffect(() => {
    if (list.error !== null) console.warn("The list of videos failed", list.error);
  }, [list.error]);

  const videos = list.data?.videos;
  const total = list.data?.total ?? 0;
  const target = selection.isAllMatching ? { filter: query.filter } : { ids: [...selection.ids] };
  const isFiltered = Object.keys(query.filter).some((name) => name !== "search");
  // The dialog receives updates of the video too, for example when it becomes playable.
  const opened = videos?.find(({ id }) => id === open?.video.id) ?? open?.video;
  const Dialog = open === null ? null : dialogs[open.kind];

  return (
    <>
      <PageHeader
        title="Manage Videos"
        note={list.isPending ? null : `Total: ${countOf(total, "video")}`}
      >
        {can("content.edit") ? (
          <Button kind="primary" onClick={() => uploads.setOpen(true)}>
            <UploadIcon aria-hidden="true" className="size-4" />
            Upload Video
          </Button>
        ) : null}
      </PageHeader>
      <VideoFilters params={params} />
      <BulkProgress jobs={bulk.running} onCancel={bulk.cancel} />
      <DataTable
        query={list}
        failed="Failed to load the videos"
        label="Videos"
        columns={columns}
        rows={videos}
        rowId={(video) => video.id}
        rowName={(video) => video.title}
        sort={params.sort}
        onSort={params.setSort}
        selection={can("content.publish") ? selection : undefined}
        empty={
          <EmptyState title="No videos found.">
            {params.search !== ""
              ? "Try adjusting your search."
              : isFiltered
                ? "No videos match these filters."
                : "Upload your first video!"}
          </EmptyState>
        }
      />
      <ListPages params={params} total={total} isStale={list.isPlaceholderData} noun="videos" />
      <BulkBar selection={selection} total={total} noun="videos" pageCount={videos?.length ?? 0}>
        <BulkTools
          count={selection.isAllMatching ? total : selection.ids.size}
          target={target}
          mayHaveClips={
            selection.isAllMatching
              ? total > (videos?.length ?? 0) || hasClips(videos ?? [])
              : hasClips((videos ?? []).filter(({ id }) => selection.ids.has(id))) ||
                [...selection.ids].some((id) => videos?.every((video) => video.id !== id))
          }
          isBusy={bulk.isStarting}
          onAction={(action) =>
            bulk.start({ action, target }).then(
              () => (selection.isAllMatching ? clear() : selection.deselect(selection.ids)),
              // The bar and its dialog stay open if the action fails to start.
              () => undefined,
            )
          }
        />
      </BulkBar>
      {opened === undefined || Dialog === null ? null : (
        <Dialog
          key={opened.id}
          video={opened}
          onClose={() => {
            linked.clear();
            setOpen(null);
          }}
        />
      )}
    </>
  );
}

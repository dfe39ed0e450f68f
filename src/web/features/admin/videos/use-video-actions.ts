import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Video } from "#contract/videos/videos.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { notify } from "../shared/notices.tsx";
import { deleteVideo, retryVideo, updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";
import { scheduleVideo } from "./api/schedule-video.ts";
import { videoMessages as messages } from "./messages.ts";

/** Returns the actions of a row, with their confirmations and alerts. */
export function useVideoActions() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      [videoListKey, ["admin", "video"]].map((queryKey) => client.invalidateQueries({ queryKey })),
    );

  const publishing = useMutation({
    mutationFn: (video: Video) => updateVideo(video.id, { isPublished: !video.isPublished }),
    meta: { failure: messages.updateFailed },
    onSettled: refresh,
  });
  const deleting = useMutation({
    mutationFn: (video: Video) => deleteVideo(video.id),
    onSuccess: () => notify.success(messages.deleted),
    meta: { failure: messages.deleteFailed },
    onSettled: refresh,
  });
  const retrying = useMutation({
    mutationFn: (video: Video) => retryVideo(video.id),
    meta: { failure: "Failed to retry video" },
    onSettled: refresh,
  });

  const unscheduling = useMutation({
    mutationFn: (video: Video) => scheduleVideo(video.id, null),
    meta: { failure: "Failed to remove schedule" },
    onSettled: refresh,
  });

  return {
    async togglePublished(video: Video) {
      const ask = video.isPublished ? messages.askUnpublish : messages.askPublish;
      const hasAgreed = await confirmAction(ask(video.title), {
        confirmLabel: video.isPublished ? "Unpublish" : "Publish",
      });
      if (hasAgreed) publishing.mutate(video);
    },
    async remove(video: Video) {
      const hasAgreed = await confirmAction(messages.askDelete(video.title), {
        confirmLabel: "Delete",
        isDanger: true,
      });
      if (hasAgreed) deleting.mutate(video);
    },
    retry: (video: Video) => retrying.mutate(video),
    unschedule: (video: Video) => unscheduling.mutate(video),
  };
}

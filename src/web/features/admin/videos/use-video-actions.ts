import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Video } from "../../../../contract/videos.ts";
import { confirmAction } from "../../../components/ui/confirm-dialog.tsx";
import { failureText } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { deleteVideo, retryVideo, updateVideo } from "./api/change-video.ts";
import { videoListKey } from "./api/list-videos.ts";
import { scheduleVideo } from "./api/schedule-video.ts";
import { videoMessages as messages } from "./messages.ts";

/** The actions of a row, with their confirmations and alerts. */
export function useVideoActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: videoListKey });

  const publishing = useMutation({
    mutationFn: (video: Video) => updateVideo(video.id, { isPublished: !video.isPublished }),
    onError: (error) => notify.failure(failureText(messages.updateFailed, error)),
    onSettled: refresh,
  });
  const deleting = useMutation({
    mutationFn: (video: Video) => deleteVideo(video.id),
    onSuccess: () => notify.success(messages.deleted),
    onError: (error) => notify.failure(failureText(messages.deleteFailed, error)),
    onSettled: refresh,
  });
  const retrying = useMutation({
    mutationFn: (video: Video) => retryVideo(video.id),
    onError: (error) => notify.failure(failureText("Failed to retry video", error)),
    onSettled: refresh,
  });

  const unscheduling = useMutation({
    mutationFn: (video: Video) => scheduleVideo(video.id, null),
    onError: (error) => notify.failure(failureText("Failed to remove schedule", error)),
    onSettled: refresh,
  });

  return {
    async togglePublished(video: Video) {
      const ask = video.isPublished ? messages.askUnpublish : messages.askPublish;
      const isSure = await confirmAction(ask(video.title), {
        confirmLabel: video.isPublished ? "Unpublish" : "Publish",
      });
      if (isSure) publishing.mutate(video);
    },
    async remove(video: Video) {
      const isSure = await confirmAction(messages.askDelete(video.title), {
        confirmLabel: "Delete",
        isDanger: true,
      });
      if (isSure) deleting.mutate(video);
    },
    retry: (video: Video) => retrying.mutate(video),
    unschedule: (video: Video) => unscheduling.mutate(video),
  };
}

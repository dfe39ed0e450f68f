import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Video } from "#contract/videos/videos.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { videoListKey, deleteVideo, retryVideo, scheduleVideo, updateVideo } from "./calls.ts";

/** Returns the actions of a row, with their confirmations and alerts. */
export function useVideoActions() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      [videoListKey, ["admin", "video"]].map((queryKey) => client.invalidateQueries({ queryKey })),
    );

  const publishing = useMutation({
    mutationFn: (video: Video) => updateVideo(video.id, { isPublished: !video.isPublished }),
    meta: { failure: "Failed to update video" },
    onSettled: refresh,
  });
  const deleting = useMutation({
    mutationFn: (video: Video) => deleteVideo(video.id),
    meta: { success: "Video deleted successfully", failure: "Failed to delete video" },
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
      const verb = video.isPublished ? "Unpublish" : "Publish";
      const question = `Are you sure you want to ${verb.toLowerCase()} "${video.title}"?`;
      const hasAgreed = await confirmAction(question, verb);
      if (hasAgreed) publishing.mutate(video);
    },
    async remove(video: Video) {
      const hasAgreed = await confirmAction(
        `Are you sure you want to delete "${video.title}"? This action cannot be undone.`,
        "Delete",
        "danger",
      );
      if (hasAgreed) deleting.mutate(video);
    },
    retry: (video: Video) => retrying.mutate(video),
    unschedule: (video: Video) => unscheduling.mutate(video),
  };
}

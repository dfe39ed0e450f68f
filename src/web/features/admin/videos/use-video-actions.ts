import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ClipFate } from "#contract/videos/clips.ts";
import type { Video } from "#contract/videos/videos.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { confirmDeletion } from "./clips/confirm-deletion.tsx";
import { notify } from "../shared/notices.tsx";
import {
  videoListKey,
  deleteVideo,
  listTrash,
  restoreVideo,
  retryVideo,
  scheduleVideo,
  updateVideo,
} from "./calls.ts";

/** Number of recently removed videos among which a removed one is looked for. */
const recentlyRemoved = 20;

/** Returns whether the trash still has a removed video. */
async function isInTrash({ id }: Video): Promise<boolean> {
  try {
    const { videos, keptDays } = await listTrash(recentlyRemoved);
    return keptDays > 0 && videos.some((removed) => removed.id === id);
  } catch {
    // The video is deleted all the same.
    return false;
  }
}

/**
 * Returns the actions of a row, with their confirmations and alerts.
 * @param onDeleted called with the id of a deleted video.
 */
export function useVideoActions(onDeleted?: (id: string) => void) {
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
  const restoring = useMutation({
    mutationFn: (video: Video) => restoreVideo(video.id),
    onSuccess: (_, { title }) => notify.success(`Restored "${title}"`),
    meta: { failure: "Failed to restore video" },
    onSettled: refresh,
  });
  const deleting = useMutation({
    mutationFn: async ({ video, clips }: { video: Video; clips?: ClipFate }) => {
      await deleteVideo(video.id, clips);
      return isInTrash(video);
    },
    onSuccess(canUndo, { video }) {
      onDeleted?.(video.id);
      const text = "Video deleted successfully";
      if (!canUndo) return notify.success(text);
      notify.offer(text, { label: "Undo", run: () => restoring.mutate(video) });
    },
    meta: { failure: "Failed to delete video" },
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
      const answer = await confirmDeletion(
        `Are you sure you want to delete "${video.title}"? This action cannot be undone.`,
        "Delete",
        (video.clipCount ?? 0) > 0,
      );
      if (answer !== null) deleting.mutate({ video, ...answer });
    },
    retry: (video: Video) => retrying.mutate(video),
    unschedule: (video: Video) => unscheduling.mutate(video),
  };
}

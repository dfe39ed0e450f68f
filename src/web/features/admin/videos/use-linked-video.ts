import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { failureWithReason } from "../shared/failure-text.ts";
import type { ListParams } from "../shared/list-params.ts";
import { notify } from "../shared/notices.tsx";
import { useCan } from "../shared/admin-page.tsx";
import { getVideo } from "./calls.ts";

/**
 * Opens the form of the video in `?edit=id`, or its details page if the user may not edit it. The
 * dashboard and the command palette link to it.
 */
export function useLinkedVideo(params: ListParams, onVideo: (video: Video) => void) {
  const id = params.get("edit");
  const found = useEffectEvent(onVideo);
  const canEdit = useCan()("content.edit");
  const navigate = useNavigate();

  useEffect(() => {
    if (id === "") return undefined;
    if (!canEdit) {
      void navigate(`/admin/videos/${encodeURIComponent(id)}`, { replace: true });
      return undefined;
    }
    let isOver = false;
    getVideo(id).then(
      (video) => {
        if (!isOver) found(video);
      },
      (error: unknown) => {
        if (!isOver) notify.failure(failureWithReason("Failed to open video", error));
      },
    );
    return () => {
      isOver = true;
    };
  }, [id, canEdit, navigate]);

  return {
    clear: () => {
      if (id !== "")
        params.set({ edit: null, page: params.page === 1 ? null : String(params.page) });
    },
  };
}

import { useEffect, useEffectEvent } from "react";
import { failureText } from "../shared/failure-text.ts";
import type { ListParams } from "../shared/list-params.ts";
import { notify } from "../shared/notices.tsx";
import type { Video } from "#contract/videos/videos.ts";
import { getVideo } from "./api/change-video.ts";

/** Opens the form of the video in `?edit=id`. The dashboard and the command palette link to it. */
export function useLinkedVideo(params: ListParams, onVideo: (video: Video) => void) {
  const id = params.get("edit");
  const found = useEffectEvent(onVideo);

  useEffect(() => {
    if (id === "") return undefined;
    let isOver = false;
    getVideo(id).then(
      (video) => {
        if (!isOver) found(video);
      },
      (error: unknown) => {
        if (!isOver) notify.failure(failureText("Failed to open video", error));
      },
    );
    return () => {
      isOver = true;
    };
  }, [id]);

  return {
    clear: () => {
      if (id !== "")
        params.set({ edit: null, page: params.page === 1 ? null : String(params.page) });
    },
  };
}

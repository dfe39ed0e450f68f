import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Video, VideoList } from "#contract/videos/videos.ts";
import { useAdminEvents, type AdminEvent } from "../shared/admin-events.ts";
import { videoListKey } from "./calls.ts";

type VideoEvent = Extract<AdminEvent, { type: "video" }>;

/**
 * Copies what processing changes. Fields that belong to a version are only copied for the same
 * version, because the event lacks others of a newer one, such as the title.
 */
function applyEvent(video: Video, event: VideoEvent): Video {
  const { status, progress, failureReason, isPublished, thumbnail } = event;
  const processed = { ...video, status, progress, failureReason };
  if (event.version !== video.version) return processed;
  return { ...processed, isPublished, thumbnail, thumbnailUrl: thumbnail };
}

/** Milliseconds to wait, so that a burst of events reloads the list only once. */
const reloadAfterMs = 700;

/** Updates the visible rows while videos are processed and bulk actions run. */
export function useLiveList(onBulk: () => void): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );

  const reload = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void client.invalidateQueries({ queryKey: videoListKey });
    }, reloadAfterMs);
  };

  useAdminEvents((event) => {
    if (event.type === "bulk") onBulk();
    if (event.type !== "video") {
      reload();
      return;
    }
    const isOutdated = client
      .getQueriesData<VideoList>({ queryKey: videoListKey, type: "active" })
      .flatMap(([, list]) => list?.videos ?? [])
      .some(({ id, version }) => id === event.id && version !== event.version);
    client.setQueriesData<VideoList>({ queryKey: videoListKey }, (list) =>
      list === undefined
        ? undefined
        : {
            ...list,
            videos: list.videos.map((video) =>
              video.id === event.id ? applyEvent(video, event) : video,
            ),
          },
    );
    // Edits and finished processing change more fields than events contain, such as the title.
    if (isOutdated || event.status === "failed" || (event.progress ?? 1) >= 1) reload();
  });
}

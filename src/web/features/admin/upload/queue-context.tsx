import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Video } from "#contract/videos/videos.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { failureWithReason } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { AdminUser, useCan } from "../shared/admin-page.tsx";
import { scheduleVideo, updateVideo } from "../videos/calls.ts";
import { isInProgress, type UploadForm, type UploadItem } from "./queue/upload-item.ts";
import { createUploadMemory } from "./queue/upload-memory.ts";
import { createUploadQueue, type UploadQueue } from "./queue/upload-queue.ts";

interface Uploads {
  queue: UploadQueue;
  /** True if the wizard is open. Otherwise, the dock shows the queue. */
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

const UploadsContext = createContext<Uploads | null>(null);

async function publishAfterUpload(video: Video, { outcome, publishAt }: UploadForm): Promise<void> {
  if (outcome === "publish") await updateVideo(video.id, { isPublished: true });
  else if (outcome === "schedule") await scheduleVideo(video.id, new Date(publishAt));
}

/** Returns a function that reports an uploaded draft and offers to publish it. */
function useDraftOffer(): (video: Video, note: string) => void {
  const client = useQueryClient();
  const can = useCan();
  /** Drafts of the notice on screen. */
  const drafts = useRef<Video[]>([]);
  const withdraw = useRef(() => {});
  return useCallback(
    (video, note) => {
      if (!can("content.publish")) {
        notify.success(`Video uploaded successfully. Saved as draft.${note}`);
        return;
      }
      withdraw.current();
      drafts.current = [...drafts.current, video];
      const { length } = drafts.current;
      const publish = async () => {
        const published = drafts.current;
        drafts.current = [];
        await Promise.all(published.map(({ id }) => updateVideo(id, { isPublished: true })));
        await client.invalidateQueries({ queryKey: ["admin"] });
      };
      withdraw.current = notify.offer(
        length === 1
          ? `Video uploaded successfully. Saved as draft.${note}`
          : `${length} videos uploaded successfully. Saved as drafts.${note}`,
        {
          question: "Publish now?",
          label: "Publish",
          run: () =>
            void publish().catch((error: unknown) =>
              notify.failure(failureWithReason("Failed to update video", error)),
            ),
          onGone: () => {
            drafts.current = [];
          },
        },
      );
    },
    [can, client],
  );
}

/**
 * Provides the upload queue of the back office. Uploads continue across pages and after a reload.
 */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const offerPublishing = useDraftOffer();
  const onUploaded = useCallback(
    (video: Video, form: UploadForm) => {
      const [same] = video.sameFileAs ?? [];
      const copyNote = same === undefined ? "" : ` It is the same file as "${same.title}".`;
      if (form.outcome === "draft") offerPublishing(video, copyNote);
      else notify.success(`Video uploaded successfully${copyNote === "" ? "" : `.${copyNote}`}`);
      void publishAfterUpload(video, form)
        .catch((error: unknown) =>
          notify.failure(failureWithReason("Video uploaded, but it couldn't be published", error)),
        )
        .finally(() => void client.invalidateQueries({ queryKey: ["admin"] }));
    },
    [client, offerPublishing],
  );
  const userId = useContext(AdminUser)?.id ?? "";
  const [queue] = useState(() => createUploadQueue(createUploadMemory(userId), onUploaded));

  useEffect(() => {
    void queue.restore();
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.items().some(isInProgress)) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [queue]);

  const value = useMemo(() => ({ queue, isOpen, setOpen }), [queue, isOpen]);
  return <UploadsContext value={value}>{children}</UploadsContext>;
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error("There is no upload queue around this");
  return uploads;
}

export function useUploadItems(): readonly UploadItem[] {
  const { queue } = useUploads();
  return useSyncExternalStore(queue.subscribe, queue.items, queue.items);
}

/**
 * Returns a function that discards the unfinished uploads before the user signs out. Resolves with
 * false if the user wants to keep them.
 */
export function useDiscardUploads(): () => Promise<boolean> {
  const { queue } = useUploads();
  return useCallback(async () => {
    const items = queue.items();
    if (items.length === 0) return true;
    const question = "Sign out and discard your unfinished uploads?";
    if (!(await confirmAction(question, "Sign out", "danger"))) return false;
    for (const { id } of items) queue.remove(id);
    return true;
  }, [queue]);
}

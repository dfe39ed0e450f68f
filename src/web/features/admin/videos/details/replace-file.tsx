import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { VideoReplacement } from "#contract/videos/admin-videos.ts";
import { video, type Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { failureWithReason } from "../../shared/failure-text.ts";
import { FileButton } from "../../shared/file-button.tsx";
import { notify } from "../../shared/notices.tsx";
import { useRemainingTime } from "../../shared/use-remaining-time.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { isVideoFile } from "../../upload/drop-area.tsx";
import { adminCall } from "../../shared/admin-api.ts";
import { withSession } from "../../shared/session-renewal.ts";
import {
  isFinal,
  retryDelays,
  startTransfer,
  uploadIdOf,
  type TransferEvents,
} from "../../upload/queue/part-transfer.ts";

const pathOf = (id: string) => `/api/admin/videos/${id}/file`;

async function post(id: string, uploadId: string): Promise<unknown> {
  const form = new FormData();
  form.set("uploadId", uploadId);
  const response = await fetch(pathOf(id), {
    method: "POST",
    headers: { accept: "application/json", "idempotency-key": uploadId, ...pageTokenHeaders() },
    body: form,
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

/** A conflict is someone else's new file, which this one must not replace. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && (isFinal(error.status) || error.status === 409);

/** Passes the uploaded file to the video. The request is repeated unless the server refuses it. */
async function attachUpload(
  id: string,
  uploadId: string,
  { signal, onWaiting }: { signal: AbortSignal } & Pick<TransferEvents, "onWaiting">,
): Promise<unknown> {
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    try {
      return await post(id, uploadId);
    } catch (error) {
      const delay = retryDelays[retries];
      if (delay === undefined || isRefusal(error)) throw error;
      onWaiting(failureWithReason("Upload paused, retrying", error));
      await new Promise((resolve) => {
        setTimeout(resolve, delay);
        signal.addEventListener("abort", resolve);
      });
    }
  }
}

/** Sends a new file in parts. It replaces the old one once it is processed. */
function replaceFile(
  id: string,
  file: File,
  events: Pick<TransferEvents, "onProgress" | "onWaiting">,
): { done: Promise<Video>; stop(): void } {
  let url = "";
  const stopped = new AbortController();
  const { signal } = stopped;
  const transfer = startTransfer(
    file,
    { name: file.name, type: file.type, uploadUrl: null },
    { ...events, onUrl: (given) => (url = given) },
  );
  return {
    done: transfer.done.then(async () => {
      const body = await withSession(() =>
        attachUpload(id, uploadIdOf(url), { signal, onWaiting: events.onWaiting }),
      ).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      // The server takes a complete file even if the request is aborted.
      if (signal.aborted) await cancelNewFile(id);
      signal.throwIfAborted();
      return video.parse(body);
    }),
    stop() {
      stopped.abort();
      void transfer.stop(true);
    },
  };
}

/** Discards the new file and keeps the old one. */
function cancelNewFile(id: string): Promise<Video> {
  return adminCall(pathOf(id), video, { method: "DELETE" });
}

const messages = {
  replace: "Replace file",
  failed: "Failed to replace the file",
} as const;

/** Replaces the file of a video. Shows the upload, the processing progress and any failure. */
export function ReplaceFile({
  video,
  replacement,
}: {
  video: Video;
  replacement: VideoReplacement | null;
}) {
  const sending = useRef<{ stop(): void }>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isStopping, setStopping] = useState(false);
  const upload = useMutation({
    mutationFn: (file: File) => {
      setPercent(0);
      const onProgress = (sentBytes: number) => {
        setPercent(Math.min(99, Math.floor((sentBytes / Math.max(1, file.size)) * 100)));
        setProblem(null);
      };
      const running = replaceFile(video.id, file, { onProgress, onWaiting: setProblem });
      sending.current = running;
      return running.done;
    },
    onError(error) {
      // The user stopped the upload.
      if (error.name === "AbortError") notify.settle(messages.failed);
    },
    onSettled() {
      setPercent(null);
      setProblem(null);
      setStopping(false);
      sending.current = null;
    },
    meta: {
      success: "Processing the new file",
      failure: messages.failed,
      refreshes: ["admin", "video"],
    },
  });
  const letGo = useMutation({
    mutationFn: () => cancelNewFile(video.id),
    meta: { failure: "Failed to cancel", refreshes: ["admin", "video"] },
  });
  const isProcessed = replacement?.state === "processing" && replacement.failureReason === null;
  const left = useRemainingTime(isProcessed ? replacement.progress : null);
  useUnsaved(upload.isPending);
  useEffect(() => () => sending.current?.stop(), []);

  const choose = async (file: File) => {
    if (!isVideoFile(file, false)) notify.failure(`${file.name} is not a video`);
    else if (
      await confirmAction(
        `Replace this video's file with ${file.name}? The current file plays until the new one is ready. The address, views, likes, comments and captions stay.`,
        messages.replace,
      )
    ) {
      upload.mutate(file);
    }
  };

  if (percent !== null) {
    return (
      <Progress
        text="Uploading the new file"
        percent={percent}
        problem={problem}
        action={isStopping ? "Stopping..." : "Stop"}
        onAction={() => {
          setStopping(true);
          sending.current?.stop();
        }}
      />
    );
  }
  if (replacement?.state === "processing") {
    const { isRenewal, progress, failureReason } = replacement;
    return (
      <Progress
        text={
          failureReason ??
          (isRenewal
            ? "Reprocessing. The current renditions play until it's done."
            : "Processing the new file. The current one plays until it's ready.")
        }
        percent={Math.round(progress * 100)}
        left={left}
        action={isRenewal ? "Cancel reprocessing" : "Keep current file"}
        onAction={() => letGo.mutate()}
      />
    );
  }
  const isBusy = video.status === "processing" || (video.progress ?? 1) < 1;
  return (
    <div className="mt-3 grid justify-items-start gap-3">
      {replacement === null ? null : (
        <div role="alert" className="max-w-xl rounded-md bg-danger-soft p-3 text-danger-text">
          <p>
            {replacement.isRenewal
              ? "Reprocessing failed. The current renditions are unchanged."
              : "The new file couldn't be processed. The current file is unchanged."}
          </p>
          <p className="mt-1 break-words">{replacement.failureReason}</p>
          <Button size="small" className="mt-2" onClick={() => letGo.mutate()}>
            Dismiss
          </Button>
        </div>
      )}
      <FileButton
        label="Replace file"
        accept="video/*"
        disabled={isBusy}
        onFile={(file) => void choose(file)}
      />
    </div>
  );
}

function Progress(props: {
  text: string;
  percent: number;
  left?: string | null;
  /** Why the upload waits. */
  problem?: string | null;
  action: string;
  onAction: () => void;
}) {
  const { percent, left = null, problem = null } = props;
  return (
    <div className="mt-3 max-w-xl">
      <div className="mb-1.5 flex justify-between gap-4">
        <span role="status">{props.text}</span>
        <span className="tabular">
          {left === null ? `${percent}%` : `${percent}% · ${left} left`}
        </span>
      </div>
      <progress className="meter w-full!" max={100} value={percent} aria-label={props.text} />
      {problem === null ? null : (
        <p role="alert" className="mt-1.5 text-danger-text">
          {problem}
        </p>
      )}
      <Button size="small" className="mt-2" onClick={props.onAction}>
        {props.action}
      </Button>
    </div>
  );
}

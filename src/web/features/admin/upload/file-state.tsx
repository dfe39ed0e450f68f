import { useRef } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { notify } from "../shared/notices.tsx";
import { uploadMessages as messages } from "./messages.ts";
import { useUploads } from "./queue-context.tsx";
import { percentOf, type UploadItem } from "./queue/upload-item.ts";

/** Describes the state of the upload while the form is open. */
export function backgroundNote(item: UploadItem): string | null {
  switch (item.transfer) {
    case "queued":
      return messages.queued;
    case "running":
      return messages.sentInBackground(percentOf(item));
    case "waiting":
      return messages.connectionLost;
    case "arrived":
      return messages.arrived;
    default:
      return null;
  }
}

/** Progress bar from submitting the form until the video exists. */
export function SubmitProgress({ item }: { item: UploadItem }) {
  if (item.phase === "editing") return null;
  const percent = percentOf(item);
  const isLost = item.transfer === "waiting";
  const text = item.phase === "finishing" ? messages.processing : messages.uploading;
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-4">
        <span role="status">{text}</span>
        <span className="tabular">{`${percent}%`}</span>
      </div>
      <progress
        className="meter w-full!"
        max={100}
        value={percent}
        aria-label={`Upload progress for ${item.name}`}
      />
      {isLost ? <p className="mt-1.5 text-ink-11">{messages.connectionLost}</p> : null}
    </div>
  );
}

/** Shows the failure. If the browser lost the file, a button lets the user choose it again. */
export function FileTrouble({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  const input = useRef<HTMLInputElement>(null);
  if (item.error === null) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft p-3 text-danger-text">
      <p>{item.error}</p>
      {item.file !== null ? null : (
        <>
          <Button size="small" className="mt-2" onClick={() => input.current?.click()}>
            {messages.chooseFile}
          </Button>
          <input
            ref={input}
            type="file"
            accept="video/*"
            className="hidden"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined && !queue.giveFile(item.id, file)) {
                notify.failure(messages.otherFile(item.name));
              }
            }}
          />
        </>
      )}
    </div>
  );
}

import { FileButton } from "../shared/file-button.tsx";
import { notify } from "../shared/notices.tsx";
import { useUploads } from "./queue-context.tsx";
import { percentOf, type UploadItem } from "./queue/upload-item.ts";

const connectionLost = "Connection lost. The upload resumes when you're back online.";

/** Describes the state of the upload while the form is open. */
export function backgroundNote(item: UploadItem): string | null {
  switch (item.transfer) {
    case "queued":
      return "Queued";
    case "running":
      return `${percentOf(item)}% uploaded in the background`;
    case "waiting":
      return connectionLost;
    case "arrived":
      return "File uploaded";
    default:
      return null;
  }
}

/** Progress bar from submitting the form until the video exists. */
export function SubmitProgress({ item }: { item: UploadItem }) {
  if (item.phase === "editing") return null;
  const percent = percentOf(item);
  const isLost = item.transfer === "waiting";
  const text =
    item.phase === "finishing" ? "Processing video and generating thumbnail..." : "Uploading...";
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
      {isLost ? <p className="mt-1.5 text-ink-11">{connectionLost}</p> : null}
    </div>
  );
}

/** Shows the failure. If the browser lost the file, a button lets the user choose it again. */
export function FileTrouble({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  if (item.error === null) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft p-3 text-danger-text">
      <p>{item.error}</p>
      {item.file !== null ? null : (
        <FileButton
          label="Choose File"
          accept="video/*"
          size="small"
          className="mt-2"
          onFile={(file) => {
            if (!queue.giveFile(item.id, file)) {
              notify.failure(`That's a different file. Choose "${item.name}" to resume.`);
            }
          }}
        />
      )}
    </div>
  );
}

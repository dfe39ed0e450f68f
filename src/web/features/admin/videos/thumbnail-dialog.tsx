import { useMutation } from "@tanstack/react-query";
import { ImageUpIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { limits } from "#contract/limits.ts";
import type { Video } from "#contract/videos/videos.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { FileButton } from "../shared/file-button.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { videoListKey } from "./calls.ts";
import { setThumbnail } from "./calls.ts";
import { openFrames, spreadMoments, type FrameReader } from "./frame-picker.ts";

interface Choice {
  /** Name for screen readers. */
  name: string;
  blob: Blob;
  url: string;
}

const frameCount = 6;

function choiceOf(name: string, blob: Blob): Choice {
  return { name, blob, url: URL.createObjectURL(blob) };
}

/** Returns the frames read so far. Revokes their object URLs at the end. */
function useFrames(url: string | null) {
  const [reader, setReader] = useState<FrameReader | null>(null);
  const [frames, setFrames] = useState<Choice[]>([]);
  const [hasFailed, setFailed] = useState(url === null);

  useEffect(() => {
    if (url === null) return undefined;
    let isOver = false;
    let opened: FrameReader | null = null;
    const made: Choice[] = [];
    const read = async () => {
      opened = await openFrames(url);
      if (isOver) return;
      setReader(opened);
      for (const atS of spreadMoments(opened.durationS, frameCount)) {
        const blob = await opened.read(atS);
        // The effect may end while a frame is being read.
        // oxlint-disable-next-line typescript/no-unnecessary-condition
        if (isOver) return;
        made.push(choiceOf(`Frame at ${formatDuration(atS)}`, blob));
        setFrames([...made]);
      }
    };
    read().catch(() => setFailed(true));
    return () => {
      isOver = true;
      opened?.close();
      for (const frame of made) URL.revokeObjectURL(frame.url);
    };
  }, [url]);

  return { reader, frames, hasFailed };
}

function FrameGrid({
  frames,
  chosen,
  onChoose,
}: {
  frames: readonly Choice[];
  chosen: Choice | null;
  onChoose: (choice: Choice) => void;
}) {
  return (
    <ul aria-label="Frames" className="grid grid-cols-3 gap-2">
      {Array.from({ length: frameCount }, (_, at) => {
        const frame = frames[at];
        return (
          <li key={at}>
            {frame === undefined ? (
              <Skeleton className="aspect-video w-full" />
            ) : (
              <button
                type="button"
                aria-label={frame.name}
                aria-pressed={frame === chosen}
                className={classNames(
                  "block aspect-video w-full overflow-hidden rounded-sm ring-offset-2 ring-offset-ink-2",
                  frame === chosen ? "ring-3 ring-lamp" : "hover:brightness-110",
                )}
                onClick={() => onChoose(frame)}
              >
                <img src={frame.url} alt="" className="size-full object-cover" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Selects a frame at any time with a slider. */
function MomentSlider({
  reader,
  onFrame,
}: {
  reader: FrameReader;
  onFrame: (atS: number) => void;
}) {
  const [atS, setAt] = useState(reader.durationS / 4);
  return (
    <label className="flex items-center gap-3">
      <span className="whitespace-nowrap">Different time</span>
      <input
        type="range"
        className="min-h-11 flex-1 accent-lamp"
        min={0}
        max={Math.max(0.1, reader.durationS - 0.1)}
        step={0.1}
        value={atS}
        aria-valuetext={formatDuration(atS)}
        onChange={({ target }) => {
          setAt(Number(target.value));
          onFrame(Number(target.value));
        }}
      />
      <span className="tabular w-12 text-end">{formatDuration(atS)}</span>
    </label>
  );
}

/**
 * Dialog that sets the thumbnail: a suggested frame, a frame at any time, or an uploaded picture.
 */
export function ThumbnailDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const { reader, frames, hasFailed } = useFrames(video.videoUrl);
  const [chosen, setChosen] = useState<Choice | null>(null);

  const saving = useMutation({
    mutationFn: (picture: Blob) => setThumbnail(video.id, picture),
    onSuccess: onClose,
    meta: {
      success: "Thumbnail changed",
      failure: "Failed to change thumbnail",
      refreshes: videoListKey,
    },
  });

  /** Time whose frame is being read, or is read next. */
  const wantedS = useRef<number | null>(null);
  const takeMoment = async (atS: number) => {
    const isReading = wantedS.current !== null;
    wantedS.current = atS;
    // A drag asks for more frames than can be read, so the times in between are skipped.
    if (reader === null || isReading) return;
    while (wantedS.current !== null) {
      const readS: number = wantedS.current;
      const blob = await reader.read(readS).catch(() => null);
      if (wantedS.current !== readS) continue;
      wantedS.current = null;
      if (blob !== null) setChosen(choiceOf(`Frame at ${formatDuration(readS)}`, blob));
    }
  };
  const takeFile = (file: File) => {
    if (file.size > limits.maxThumbnailBytes) {
      const most = formatFileSize(limits.maxThumbnailBytes);
      notify.failure(`"${file.name}" is ${formatFileSize(file.size)}. The maximum is ${most}.`);
      return;
    }
    setChosen(choiceOf(file.name, file));
  };

  return (
    <ModalForm
      title="Change thumbnail"
      description={video.title}
      submitLabel="Use as thumbnail"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={chosen !== null}
      isDirty={chosen !== null}
      onSubmit={() => (chosen === null ? undefined : saving.mutateAsync(chosen.blob))}
      onClose={onClose}
    >
      <div className="aspect-video w-full overflow-hidden rounded-md bg-ink-4">
        {chosen !== null || video.thumbnail !== null ? (
          <img
            src={chosen?.url ?? video.thumbnail ?? ""}
            alt={chosen?.name ?? "Current thumbnail"}
            className="size-full object-contain"
          />
        ) : null}
      </div>
      {hasFailed ? (
        <p className="text-ink-11">
          {video.videoUrl === null
            ? "You can choose a frame once the video is playable."
            : "Your browser couldn't read frames from this video."}
        </p>
      ) : (
        <FrameGrid frames={frames} chosen={chosen} onChoose={setChosen} />
      )}
      {reader === null ? null : (
        <MomentSlider reader={reader} onFrame={(atS) => void takeMoment(atS)} />
      )}
      <div>
        <FileButton
          label="Upload an image"
          accept="image/jpeg,image/png,image/webp"
          onFile={takeFile}
        >
          <ImageUpIcon aria-hidden="true" className="size-4" />
          Upload an image
        </FileButton>
      </div>
    </ModalForm>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { CaptionDetails, CaptionLine } from "#contract/videos/captions.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { notify } from "../../shared/notices.tsx";
import { QueryError } from "../../shared/query-error.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { captionsKey, changeCaption, getCaption } from "../api/captions.ts";
import { CaptionLineRow } from "./caption-line-row.tsx";
import {
  editLine,
  placeAt,
  readTime,
  savedLine,
  shiftEdited,
  timeText,
  type EditedLine,
} from "./line-edits.ts";

/** Lines per page. Thousands of fields at once would make typing slow. */
const pageSize = 40;
const newLineMs = 2000;

interface EditorProps {
  video: Video;
  captionId: string;
  canEdit: boolean;
  onClose: () => void;
}

/** Editor for the lines of a caption track, with the video above them. */
export function CaptionEditor(props: EditorProps) {
  const { video, captionId } = props;
  const read = useQuery({
    queryKey: ["caption-lines", video.id, captionId],
    queryFn: () => getCaption(video.id, captionId),
    // A refetch would change fields while the user edits them.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (read.isError) return <QueryError message="Failed to load the lines" query={read} />;
  if (read.data === undefined) return <Skeleton className="h-64 w-full" />;
  return <Editor {...props} caption={read.data} />;
}

function Editor({ video, caption, canEdit, onClose }: EditorProps & { caption: CaptionDetails }) {
  const media = useRef<HTMLVideoElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useState(caption.url);
  const [lines, setLines] = useState<EditedLine[]>(() => caption.lines.map(editLine));
  const [isDirty, setDirty] = useState(false);
  const [page, setPage] = useState(0);
  const [shift, setShift] = useState("");
  useUnsaved(isDirty);
  // The editor opens below all tracks, possibly outside the viewport.
  useEffect(() => group.current?.focus(), []);

  const saving = useMutation({
    mutationFn: (saved: CaptionLine[]) =>
      changeCaption(video.id, caption.id, { lines: saved, expectedUrl: url }),
    onSuccess: (changed) => {
      setUrl(changed.url);
      setDirty(false);
      notify.success("Captions saved");
    },
    meta: { failure: "Failed to save captions", refreshes: captionsKey(video.id) },
  });

  const change = (next: EditedLine[]) => {
    setLines(next);
    setDirty(true);
  };
  const patch = (key: number, values: Partial<EditedLine>) =>
    change(lines.map((line) => (line.key === key ? { ...line, ...values } : line)));
  const nowMs = () => Math.round((media.current?.currentTime ?? 0) * 1000);
  const focusLine = (place: number) => {
    const target = Math.min(Math.max(place, 0), lines.length - 1);
    setPage(Math.floor(target / pageSize));
    // Waits until that page of lines is rendered.
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-place="${target}"] textarea`)?.focus();
    });
  };
  const play = (line: EditedLine) => {
    if (media.current === null) return;
    media.current.currentTime = (readTime(line.start) ?? 0) / 1000;
    void media.current.play();
  };
  const add = (startMs: number) => {
    const place = lines.length === 0 ? 0 : placeAt(lines, startMs) + 1;
    const line = { startMs, endMs: startMs + newLineMs, text: "", place: "" };
    change(lines.toSpliced(place, 0, editLine(line)));
    setPage(Math.floor(place / pageSize));
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-place="${place}"] textarea`)?.focus();
    });
  };

  const onKeyDown = (event: KeyboardEvent, line: EditedLine, place: number) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Record<string, () => void> = {
      ArrowUp: () => focusLine(place - 1),
      ArrowDown: () => focusLine(place + 1),
      Digit1: () => patch(line.key, { start: timeText(nowMs()) }),
      Digit2: () => patch(line.key, { end: timeText(nowMs()) }),
      KeyP: () => play(line),
      KeyN: () => add(readTime(line.end) ?? nowMs()),
    };
    const action = actions[event.code];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const saved = lines.map(savedLine);
  const valid = saved.flatMap((line) => (line === null || line.text.trim() === "" ? [] : [line]));
  const broken = saved.filter((line) => line === null).length;
  const pages = Math.max(1, Math.ceil(lines.length / pageSize));
  const first = page * pageSize;
  const shiftMs = Number(shift.replace(",", ".")) * 1000;
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-label={`Lines in ${caption.name}`}
      className="grid scroll-mt-20 gap-4 outline-none"
    >
      {video.videoUrl === null ? null : (
        // The lines below are the captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          ref={media}
          controls
          playsInline
          preload="metadata"
          aria-label={`Video for the lines in ${caption.name}`}
          src={video.videoUrl}
          poster={video.posterUrl ?? undefined}
          className="sticky top-2 z-10 aspect-video max-h-64 w-full rounded-md bg-video"
        />
      )}
      {canEdit ? (
        <p className="text-sm text-ink-11">
          In a line, press Alt+↑ or Alt+↓ to move between lines, Alt+1 or Alt+2 to set the start or
          end from the video, Alt+P to play the line, and Alt+N to add a line after it.
        </p>
      ) : null}
      <ol ref={list} start={first + 1} className="grid gap-3">
        {lines.slice(first, first + pageSize).map((line, i) => (
          <CaptionLineRow
            key={line.key}
            line={line}
            place={first + i}
            isReadOnly={!canEdit}
            isBroken={saved[first + i] === null}
            language={caption.language}
            onChange={(values) => patch(line.key, values)}
            onPlay={() => play(line)}
            onRemove={() => change(lines.filter(({ key }) => key !== line.key))}
            onKeyDown={(event) => onKeyDown(event, line, first + i)}
          />
        ))}
      </ol>
      {pages > 1 ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
            Earlier lines
          </Button>
          <Button disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
            Later lines
          </Button>
          <Button onClick={() => focusLine(placeAt(lines, nowMs()))}>Go to current line</Button>
          <p className="tabular text-ink-11" role="status">
            {first + 1}-{Math.min(first + pageSize, lines.length)} of {lines.length}
          </p>
        </div>
      ) : null}
      {canEdit ? (
        <div className="flex flex-wrap items-end gap-2">
          <Button onClick={() => add(nowMs())}>Add line here</Button>
          <TextField
            label="Shift all lines (seconds)"
            className="w-40"
            inputMode="decimal"
            placeholder="-1.5"
            value={shift}
            onChange={({ target }) => setShift(target.value)}
          />
          <Button
            disabled={!Number.isFinite(shiftMs) || shiftMs === 0}
            onClick={() => {
              change(shiftEdited(lines, Math.round(shiftMs)));
              setShift("");
            }}
          >
            Move
          </Button>
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {canEdit ? (
          <Button
            kind="primary"
            disabled={!isDirty || broken > 0 || valid.length === 0 || saving.isPending}
            onClick={() => saving.mutate(valid)}
          >
            {saving.isPending ? "Saving..." : "Save lines"}
          </Button>
        ) : null}
        <Button onClick={onClose}>{isDirty ? "Discard" : "Close"}</Button>
        {broken > 0 ? (
          <p role="status" className="text-danger-text">
            {broken === 1
              ? "A line ends before it starts or has an invalid time."
              : `${broken} lines end before they start or have an invalid time.`}
          </p>
        ) : null}
      </div>
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { PlayIcon, Trash2Icon } from "lucide-react";
import { captionLimits, type CaptionDetails } from "#contract/videos/captions.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { QueryError } from "../../shared/admin-page.tsx";
import { IconButton } from "../../shared/icon-button.tsx";
import { isApple } from "../../shared/is-apple.ts";
import { readTime, timeText } from "../../shared/time-text.ts";
import { getCaption } from "./calls.ts";
import {
  placeAt,
  readSigned,
  shiftEdited,
  useCaptionLines,
  type EditedLine,
  type CaptionLines,
} from "./caption-lines.ts";
import { Button } from "#web/components/ui/button.tsx";

/** Buttons that move through the pages of lines. */
function LinePages({
  page,
  pageSize,
  count,
  onPage,
  onCurrent,
}: {
  page: number;
  pageSize: number;
  /** Number of lines. */
  count: number;
  onPage: (page: number) => void;
  onCurrent: () => void;
}) {
  const first = page * pageSize;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
        Earlier lines
      </Button>
      <Button disabled={first + pageSize >= count} onClick={() => onPage(page + 1)}>
        Later lines
      </Button>
      <Button onClick={onCurrent}>Go to current line</Button>
      <p className="tabular text-ink-11" role="status">
        {first + 1}-{Math.min(first + pageSize, count)} of {count}
      </p>
    </div>
  );
}

/** Buttons that add a line at the position of the video and shift all lines. */
function LineTools({ onAdd, onShift }: { onAdd: () => void; onShift: (byMs: number) => void }) {
  const [shift, setShift] = useState("");
  const shiftMs = Number(shift.replace(",", ".")) * 1000;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Button onClick={onAdd}>Add line here</Button>
      <TextField
        label="Shift all lines (seconds)"
        className="w-40"
        placeholder="-1.5"
        value={shift}
        onChange={({ target }) => setShift(target.value)}
      />
      <Button
        disabled={!Number.isFinite(shiftMs) || shiftMs === 0}
        onClick={() => {
          onShift(Math.round(shiftMs));
          setShift("");
        }}
      >
        Move
      </Button>
    </div>
  );
}

/** Buttons that save the lines and close the editor. */
function SaveLines({
  edited: { readLines, toSave, isDirty, isSaving, save },
  canEdit,
  onClose,
}: {
  edited: CaptionLines;
  canEdit: boolean;
  onClose: () => void;
}) {
  const broken = readLines.filter((line) => line === null).length;
  const early = readLines.filter((line) => line !== null && line.endMs <= 0).length;
  const canSave = isDirty && broken === 0 && toSave.length > 0 && !isSaving;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canEdit ? (
        <Button kind="primary" disabled={!canSave} onClick={save}>
          {isSaving ? "Saving..." : "Save lines"}
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
      {early > 0 ? (
        <p role="status" className="text-ink-11">
          {early === 1
            ? "1 line ends before the video starts and won't be saved."
            : `${early} lines end before the video starts and won't be saved.`}
        </p>
      ) : null}
    </div>
  );
}

/** One caption line with its start, end and text. */
function CaptionLineRow(props: {
  line: EditedLine;
  place: number;
  isReadOnly: boolean;
  isBroken: boolean;
  language: string;
  onChange: (values: Partial<EditedLine>) => void;
  onPlay: () => void;
  onRemove: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { line, place, isReadOnly, isBroken, language, onChange, onKeyDown } = props;
  const number = place + 1;
  const time = (name: "start" | "end", label: string) => (
    <TextField
      label={`${label} of line ${number}`}
      isLabelHidden
      className="w-28"
      readOnly={isReadOnly}
      error={isBroken && name === "end" ? "Check the times" : null}
      value={line[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <li data-place={place} className="flex flex-wrap items-start gap-2">
      <div className="flex gap-2 sm:flex-col">
        {time("start", "Start")}
        {time("end", "End")}
      </div>
      <TextAreaField
        label={`Text for line ${number}`}
        isLabelHidden
        className="min-w-0 flex-1 basis-56"
        rows={3}
        maxLength={captionLimits.maxLineLength}
        readOnly={isReadOnly}
        dir="auto"
        lang={language === "und" ? undefined : language}
        value={line.text}
        onChange={({ target }) => onChange({ text: target.value })}
        onKeyDown={onKeyDown}
      />
      <div className="flex sm:flex-col">
        <IconButton
          Icon={PlayIcon}
          label={`Play line ${number}`}
          name="Play"
          onClick={props.onPlay}
        />
        {isReadOnly ? null : (
          <IconButton
            Icon={Trash2Icon}
            label={`Delete line ${number}`}
            name="Delete"
            isDanger
            onClick={props.onRemove}
          />
        )}
      </div>
    </li>
  );
}

/** Lines per page. Thousands of fields at once would make typing slow. */
const pageSize = 40;

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
  if (read.isLoadingError) return <QueryError message="Failed to load the lines" query={read} />;
  if (read.data === undefined) return <Skeleton className="h-64 w-full" />;
  return <Editor {...props} caption={read.data} />;
}

function Editor({ video, caption, canEdit, onClose }: EditorProps & { caption: CaptionDetails }) {
  const media = useRef<HTMLVideoElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const edited = useCaptionLines(video.id, caption);
  const { lines, readLines, change, patch } = edited;
  const [openPage, setPage] = useState(0);
  // The last line of the open page may have been deleted.
  const page = Math.min(openPage, Math.max(0, Math.ceil(lines.length / pageSize) - 1));
  // The editor opens below all tracks, possibly outside the viewport.
  useEffect(() => group.current?.focus(), []);

  const nowMs = () => Math.round((media.current?.currentTime ?? 0) * 1000);
  const focusPlace = (place: number) => {
    setPage(Math.floor(place / pageSize));
    // Waits until that page of lines is rendered.
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-place="${place}"] textarea`)?.focus();
    });
  };
  const focusLine = (place: number) => focusPlace(Math.min(Math.max(place, 0), lines.length - 1));
  const add = (startMs: number) => focusPlace(edited.add(startMs));
  const play = (line: EditedLine) => {
    if (media.current === null) return;
    media.current.currentTime = (readTime(line.start) ?? 0) / 1000;
    void media.current.play();
  };

  const hasOption = isApple();
  const alt = hasOption ? "Option" : "Alt";
  const combination = hasOption ? "Control+Option" : "Alt";
  const onKeyDown = (event: KeyboardEvent, line: EditedLine, place: number) => {
    // On Apple keyboards, Option with a letter or digit types a character. Elsewhere, Ctrl+Alt does.
    const needsControl = hasOption && !event.code.startsWith("Arrow");
    if (!event.altKey || event.ctrlKey !== needsControl || event.metaKey) return;
    const edits: Record<string, () => void> = {
      Digit1: () => patch(line.key, { start: timeText(nowMs()) }),
      Digit2: () => patch(line.key, { end: timeText(nowMs()) }),
      KeyN: () => add(Math.max(0, readSigned(line.end) ?? nowMs())),
    };
    const actions: Record<string, () => void> = {
      ArrowUp: () => focusLine(place - 1),
      ArrowDown: () => focusLine(place + 1),
      KeyP: () => play(line),
      ...(canEdit ? edits : {}),
    };
    const action = actions[event.code];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const first = page * pageSize;
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-label={`Lines in ${caption.name}`}
      className="grid scroll-mt-20 gap-4 outline-none"
    >
      <EditedVideo ref={media} video={video} name={caption.name} />
      {canEdit ? (
        <p className="text-sm text-ink-11">
          In a line, press {alt}+↑ or {alt}+↓ to move between lines, {combination}+1 or{" "}
          {combination}+2 to set the start or end from the video, {combination}+P to play the line,
          and {combination}+N to add a line after it.
        </p>
      ) : null}
      <ol
        ref={list}
        start={first + 1}
        // Keeps focused lines clear of the video.
        className="grid gap-3 [@media(height>=40rem)]:**:scroll-mt-64"
      >
        {lines.slice(first, first + pageSize).map((line, i) => (
          <CaptionLineRow
            key={line.key}
            line={line}
            place={first + i}
            isReadOnly={!canEdit}
            isBroken={readLines[first + i] === null}
            language={caption.language}
            onChange={(values) => patch(line.key, values)}
            onPlay={() => play(line)}
            onRemove={() => change(lines.filter(({ key }) => key !== line.key))}
            onKeyDown={(event) => onKeyDown(event, line, first + i)}
          />
        ))}
      </ol>
      {lines.length > pageSize ? (
        <LinePages
          page={page}
          pageSize={pageSize}
          count={lines.length}
          onPage={setPage}
          onCurrent={() => focusLine(placeAt(lines, nowMs()))}
        />
      ) : null}
      {canEdit ? (
        <LineTools
          onAdd={() => add(nowMs())}
          onShift={(byMs) => change(shiftEdited(lines, byMs))}
        />
      ) : null}
      <SaveLines edited={edited} canEdit={canEdit} onClose={onClose} />
    </div>
  );
}

/** Video above the lines, if it can play already. */
function EditedVideo({
  ref,
  video,
  name,
}: {
  ref: RefObject<HTMLVideoElement | null>;
  video: Video;
  name: string;
}) {
  if (video.videoUrl === null) return null;
  return (
    // The lines below are the captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={ref}
      controls
      playsInline
      preload="metadata"
      aria-label={`Video for the lines in ${name}`}
      src={video.videoUrl}
      poster={video.posterUrl ?? undefined}
      className="top-16 z-10 aspect-video max-h-64 w-full rounded-md bg-video [@media(height>=40rem)]:sticky"
    />
  );
}

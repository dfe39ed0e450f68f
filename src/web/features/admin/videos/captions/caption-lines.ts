import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CaptionLine, CaptionDetails } from "#contract/videos/captions.ts";
import { readTime, timeText } from "../../shared/time-text.ts";
import { notify } from "../../shared/notices.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { captionsKey, changeCaption } from "./calls.ts";

/** Line in the editor. Its times are text until it is saved. */
export interface EditedLine {
  key: number;
  start: string;
  end: string;
  text: string;
  place: string;
}

let lastKey = 0;

export function editLine(line: CaptionLine): EditedLine {
  lastKey += 1;
  const { startMs, endMs, text, place } = line;
  return { key: lastKey, start: timeText(startMs), end: timeText(endMs), text, place };
}

/** Returns the line to save, or null if its times are invalid. */
export function savedLine({ start, end, text, place }: EditedLine): CaptionLine | null {
  const [startMs, endMs] = [readTime(start), readTime(end)];
  if (startMs === null || endMs === null || endMs <= startMs) return null;
  return { startMs, endMs, text, place };
}

/** Shifts every line with valid times, but not before zero. */
export function shiftEdited(lines: readonly EditedLine[], byMs: number): EditedLine[] {
  return lines.map((line) => {
    const saved = savedLine(line);
    if (saved === null) return line;
    const move = (timeMs: number) => timeText(Math.max(0, timeMs + byMs));
    return { ...line, start: move(saved.startMs), end: move(saved.endMs) };
  });
}

/** Returns the index of the line spoken at a given time, or of the last one before it. */
export function placeAt(lines: readonly EditedLine[], timeMs: number): number {
  return Math.max(
    0,
    lines.findLastIndex(({ start }) => (readTime(start) ?? Infinity) <= timeMs),
  );
}

const newLineMs = 2000;

/** Lines of a caption track while they are edited. */
export function useCaptionLines(videoId: string, caption: CaptionDetails) {
  const [url, setUrl] = useState(caption.url);
  const [lines, setLines] = useState<EditedLine[]>(() => caption.lines.map(editLine));
  const [savedLines, setSavedLines] = useState(lines);
  const isDirty = lines !== savedLines;
  useUnsaved(isDirty);

  const saving = useMutation({
    mutationFn: (kept: CaptionLine[]) =>
      changeCaption(videoId, caption.id, { lines: kept, expectedUrl: url }),
    onSuccess: (changed) => {
      setUrl(changed.url);
      notify.success("Captions saved");
    },
    meta: { failure: "Failed to save captions", refreshes: captionsKey(videoId) },
  });
  /** Lines as they would be saved. Null for a line with invalid times. */
  const saved = lines.map(savedLine);

  return {
    lines,
    saved,
    isDirty,
    isSaving: saving.isPending,
    change: setLines,
    patch: (key: number, values: Partial<EditedLine>): void =>
      setLines(lines.map((line) => (line.key === key ? { ...line, ...values } : line))),
    /** Adds an empty line and returns its place. */
    add(startMs: number): number {
      const place = lines.length === 0 ? 0 : placeAt(lines, startMs) + 1;
      const line = { startMs, endMs: startMs + newLineMs, text: "", place: "" };
      setLines(lines.toSpliced(place, 0, editLine(line)));
      return place;
    },
    /** Saves all lines that have a text. */
    // Lines edited during the request stay unsaved.
    save: (): void =>
      saving.mutate(saved.filter(hasText), { onSuccess: () => setSavedLines(lines) }),
  };
}

export type CaptionLines = ReturnType<typeof useCaptionLines>;

export const hasText = (line: CaptionLine | null): line is CaptionLine =>
  line !== null && line.text.trim() !== "";

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

/** Formats a time, which is negative if a shift moved it before the start of the video. */
const signedText = (timeMs: number): string =>
  timeMs < 0 ? `-${timeText(-timeMs)}` : timeText(timeMs);

/** Reads a time that may be negative, in milliseconds. Returns null if it is invalid. */
export function readSigned(text: string): number | null {
  const [, sign = "", time = ""] = /^\s*(-?)(.*)$/.exec(text) ?? [];
  const timeMs = readTime(time);
  return sign === "-" && timeMs !== null ? -timeMs : timeMs;
}

let lastKey = 0;

export function editLine(line: CaptionLine): EditedLine {
  lastKey += 1;
  const { startMs, endMs, text, place } = line;
  return { key: lastKey, start: timeText(startMs), end: timeText(endMs), text, place };
}

/** Returns the line with its times, which can be negative, or null if they are invalid. */
export function readLine({ start, end, text, place }: EditedLine): CaptionLine | null {
  const [startMs, endMs] = [readSigned(start), readSigned(end)];
  if (startMs === null || endMs === null || endMs <= startMs) return null;
  return { startMs, endMs, text, place };
}

/** Shifts every line with valid times, also before zero, so that a shift back restores it. */
export function shiftEdited(lines: readonly EditedLine[], byMs: number): EditedLine[] {
  return lines.map((line) => {
    const read = readLine(line);
    if (read === null) return line;
    return { ...line, start: signedText(read.startMs + byMs), end: signedText(read.endMs + byMs) };
  });
}

/** Returns the lines to save: those that have a text and end after the start of the video. */
export const linesToSave = (lines: readonly (CaptionLine | null)[]): CaptionLine[] =>
  lines
    .filter((line) => line !== null)
    .filter(({ endMs, text }) => endMs > 0 && text.trim() !== "")
    .map((line) => ({ ...line, startMs: Math.max(0, line.startMs) }));

/** Returns the index of the line spoken at a given time, or of the last one before it. */
export function placeAt(lines: readonly EditedLine[], timeMs: number): number {
  return Math.max(
    0,
    lines.findLastIndex(({ start }) => (readSigned(start) ?? Infinity) <= timeMs),
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
  /** Null for a line with invalid times. */
  const readLines = lines.map(readLine);
  const toSave = linesToSave(readLines);

  return {
    lines,
    readLines,
    toSave,
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
    // Lines edited during the request stay unsaved.
    save: (): void => saving.mutate(toSave, { onSuccess: () => setSavedLines(lines) }),
  };
}

export type CaptionLines = ReturnType<typeof useCaptionLines>;

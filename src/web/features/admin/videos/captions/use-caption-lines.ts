import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CaptionDetails, CaptionLine } from "#contract/videos/captions.ts";
import { notify } from "../../shared/notices.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { captionsKey, changeCaption } from "../api/captions.ts";
import { editLine, placeAt, savedLine, type EditedLine } from "./line-edits.ts";

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

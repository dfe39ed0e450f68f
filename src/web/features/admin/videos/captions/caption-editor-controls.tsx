import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { hasText, type CaptionLines } from "./caption-lines.ts";

/** Buttons that move through the pages of lines. */
export function LinePages({
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
export function LineTools({
  onAdd,
  onShift,
}: {
  onAdd: () => void;
  onShift: (byMs: number) => void;
}) {
  const [shift, setShift] = useState("");
  const shiftMs = Number(shift.replace(",", ".")) * 1000;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Button onClick={onAdd}>Add line here</Button>
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
export function SaveLines({
  edited: { saved, isDirty, isSaving, save },
  canEdit,
  onClose,
}: {
  edited: CaptionLines;
  canEdit: boolean;
  onClose: () => void;
}) {
  const broken = saved.filter((line) => line === null).length;
  const canSave = isDirty && broken === 0 && saved.some(hasText) && !isSaving;
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
    </div>
  );
}

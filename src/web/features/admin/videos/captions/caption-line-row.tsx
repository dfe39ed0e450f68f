import { PlayIcon, Trash2Icon } from "lucide-react";
import type { KeyboardEvent } from "react";
import { captionLimits } from "#contract/videos/captions.ts";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { IconButton } from "../../shared/icon-button.tsx";
import type { EditedLine } from "./line-edits.ts";

/** One caption line with its start, end and text. */
export function CaptionLineRow(props: {
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
      inputMode="numeric"
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

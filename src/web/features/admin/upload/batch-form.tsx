import { XIcon } from "lucide-react";
import { limits } from "#contract/limits.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { DetailsFields } from "./details-fields.tsx";
import { ThumbnailPicture } from "./file-card.tsx";
import { backgroundNote, FileTrouble } from "./file-state.tsx";
import { useUploads } from "./queue-context.tsx";
import { percentOf, type CommonDetails, type UploadItem } from "./queue/upload-item.ts";

function FileRow({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  const isBusy = item.phase !== "editing";
  const note = isBusy ? `Uploading... ${percentOf(item)}%` : backgroundNote(item);
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <div className="flex items-start gap-3">
        <ThumbnailPicture item={item} className="w-20" />
        <div className="min-w-0 flex-1">
          <TextField
            label={`Title for ${item.name}`}
            isLabelHidden
            required
            disabled={isBusy}
            maxLength={limits.titleMax}
            value={item.form.title}
            onChange={(event) => queue.edit(item.id, { title: event.target.value })}
          />
          <p className="tabular mt-1 truncate text-ink-11">
            {note === null ? item.name : `${item.name} · ${note}`}
          </p>
        </div>
        <IconButton
          Icon={XIcon}
          name="Remove file"
          label={`Remove file ${item.name}`}
          disabled={isBusy}
          onClick={() => queue.remove(item.id)}
        />
      </div>
      <FileTrouble item={item} />
    </li>
  );
}

/** Form with a title for each file and details for all of them. */
export function BatchForm({
  items,
  common,
  isDisabled,
  onCommon,
}: {
  items: readonly UploadItem[];
  common: CommonDetails;
  isDisabled: boolean;
  onCommon: (change: Partial<CommonDetails>) => void;
}) {
  return (
    <>
      <ul aria-label="Titles" className="grid gap-2">
        {items.map((item) => (
          <FileRow key={item.id} item={item} />
        ))}
      </ul>
      <fieldset disabled={isDisabled} className="grid gap-4">
        <DetailsFields form={common} onChange={onCommon} />
      </fieldset>
    </>
  );
}

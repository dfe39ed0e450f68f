import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { XIcon } from "lucide-react";
import { titleFromName } from "#contract/videos/file-title.ts";
import { limits } from "#contract/limits.ts";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SwitchField, TextField, SelectField, TextAreaField } from "#web/components/ui/field.tsx";
import { failureWithReason } from "../shared/failure-text.ts";
import { notify } from "../shared/notices.tsx";
import { createOtherThumbnails } from "./video-thumbnail.ts";
import { IconButton } from "../shared/icon-button.tsx";
import { bindFields } from "../shared/bind-fields.ts";
import { publishTimeNote } from "../shared/moments.ts";
import { LabelNamesField } from "../shared/label-names-field.tsx";
import { useCan } from "../shared/admin-page.tsx";
import { ThumbnailPicture, backgroundNote, FileTrouble, SubmitProgress } from "./file-card.tsx";
import { useUploadItems, useUploads } from "./queue-context.tsx";
import {
  canSubmit,
  percentOf,
  afterUpload,
  type CommonDetails,
  type UploadForm,
  type UploadItem,
} from "./queue/upload-item.ts";

const outcomeNames = {
  draft: "Keep as draft",
  publish: "Publish as soon as it's playable",
  schedule: "Schedule",
} as const;

/** Fields for everything except the title. */
function DetailsFields({
  form,
  onChange,
}: {
  form: CommonDetails;
  onChange: (change: Partial<CommonDetails>) => void;
}) {
  const can = useCan();
  const fields = bindFields(form, onChange);
  return (
    <>
      <TextAreaField
        label="Description"
        rows={3}
        maxLength={limits.descriptionMax}
        {...fields.text("description")}
      />
      <LabelNamesField
        kind="categories"
        value={form.categories}
        onValue={(categories) => onChange({ categories })}
      />
      <LabelNamesField kind="tags" value={form.tags} onValue={(tags) => onChange({ tags })} />
      <LabelNamesField
        kind="actors"
        value={form.actors}
        onValue={(actors) => onChange({ actors })}
      />
      <SwitchField label="Premium Content" {...fields.toggle("isPremium")} />
      {can("content.publish") ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="After uploading"
            options={afterUpload.map((value) => ({ value, label: outcomeNames[value] }))}
            value={form.outcome}
            onChange={({ target }) =>
              onChange({
                outcome: afterUpload.find((choice) => choice === target.value) ?? "draft",
              })
            }
          />
          {form.outcome === "schedule" ? (
            <TextField
              label="Publish at"
              type="datetime-local"
              required
              hint={publishTimeNote(form.publishAt)}
              {...fields.text("publishAt")}
            />
          ) : null}
        </div>
      ) : null}
    </>
  );
}

const busyNote = (item: UploadItem) =>
  item.phase === "finishing" ? "Processing..." : `Uploading... ${percentOf(item)}%`;

function FileRow({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  const isBusy = item.phase !== "editing";
  const note = isBusy ? busyNote(item) : backgroundNote(item);
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
function BatchForm({
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

function SelectedFile({ item, onRemove }: { item: UploadItem; onRemove: () => void }) {
  const note = item.phase === "editing" ? backgroundNote(item) : null;
  return (
    <div className="flex items-center gap-3 rounded-md bg-ink-3 p-3">
      <ThumbnailPicture item={item} className="w-24" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{item.name}</p>
        <p className="tabular text-ink-11">
          {`${(item.sizeBytes / 1024 / 1024).toFixed(2)} MB`}
          {note === null ? "" : ` · ${note}`}
        </p>
      </div>
      <Button size="small" disabled={item.phase !== "editing"} onClick={onRemove}>
        Remove file
      </Button>
    </div>
  );
}

/** Returns pictures with URLs, which are valid while the component is mounted. */
function usePictures(blobs: readonly Blob[] | null) {
  const [pictures, setPictures] = useState<readonly { blob: Blob; url: string }[] | null>(null);
  useEffect(() => {
    if (blobs === null) return undefined;
    const created = blobs.map((blob) => ({ blob, url: URL.createObjectURL(blob) }));
    setPictures(created);
    return () => {
      for (const { url } of created) URL.revokeObjectURL(url);
    };
  }, [blobs]);
  return pictures;
}

/** Offers other frames of the file as its thumbnail, right away if the default one is black. */
function FrameChoice({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  const { file, thumbnail } = item;
  const [blobs, setBlobs] = useState<readonly Blob[] | null>(null);
  const frames = usePictures(blobs);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The list replaces the button that was pressed.
    if (frames === null || document.activeElement !== document.body) return;
    list.current?.querySelector("button")?.focus();
  }, [frames]);
  const [isBusy, setBusy] = useState(false);
  const isReplacement = thumbnail.state === "ready" && thumbnail.isReplacement === true;
  const read = async () => {
    if (file === null) return;
    setBusy(true);
    try {
      setBlobs(await createOtherThumbnails(file));
    } catch (error) {
      notify.failure(failureWithReason("Failed to read other frames", error));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (isReplacement) void read();
    // Once per file. The component has the file as its key.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isReplacement]);
  if (item.phase !== "editing" || thumbnail.state !== "ready" || file === null) return null;
  if (frames === null) {
    const isReading = isBusy || blobs !== null;
    return (
      <Button
        size="small"
        className="justify-self-start"
        disabled={isReading}
        onClick={() => void read()}
      >
        {isReading ? "Reading frames..." : "Choose another thumbnail"}
      </Button>
    );
  }
  return (
    <div className="grid gap-2">
      {isReplacement ? (
        <p className="text-ink-11">
          The video is black at a quarter of its duration. You can choose another frame:
        </p>
      ) : null}
      <ul ref={list} aria-label="Thumbnails" className="grid grid-cols-4 gap-2">
        {frames.map(({ blob, url }, at) => (
          <li key={url}>
            <button
              type="button"
              aria-label={`Use frame ${at + 1}`}
              aria-pressed={thumbnail.blob === blob}
              className="block w-full overflow-hidden rounded-sm outline-lamp hover:outline-2 aria-pressed:outline-2 aria-pressed:outline-offset-2"
              onClick={() => queue.setThumbnail(item.id, blob)}
            >
              <img src={url} alt="" className="aspect-video w-full object-cover" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Selects the file whose form is shown. */
function FileTabs({
  items,
  current,
  onChoose,
}: {
  items: readonly UploadItem[];
  current: UploadItem;
  onChoose: (id: string) => void;
}) {
  if (items.length < 2) return null;
  return (
    <ul aria-label="Files" className="flex gap-2 overflow-x-auto pb-1">
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            aria-pressed={item.id === current.id}
            className={classNames(
              "flex min-h-11 max-w-52 items-center gap-2 rounded-md p-1.5 pe-3 text-start",
              item.id === current.id ? "bg-lamp-soft" : "bg-ink-3 hover:bg-ink-4",
              item.error !== null && "text-danger-text",
            )}
            onClick={() => onChoose(item.id)}
          >
            <ThumbnailPicture item={item} className="w-12" />
            <bdi className="truncate">{item.form.title || item.name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Fields({
  form,
  suggestion,
  isDisabled,
  onChange,
}: {
  form: UploadForm;
  /** Title derived from the file name. */
  suggestion: string;
  isDisabled: boolean;
  onChange: (change: Partial<UploadForm>) => void;
}) {
  return (
    <fieldset disabled={isDisabled} className="grid gap-4">
      <TextField
        label="Title"
        required
        maxLength={limits.titleMax}
        value={form.title}
        onChange={(event) => onChange({ title: event.target.value })}
        hint={
          form.title === "" && suggestion !== "" ? (
            <button
              type="button"
              className="relative text-lamp-text hover:underline after:absolute after:-inset-2"
              onClick={() => onChange({ title: suggestion })}
            >
              {`Use "${suggestion}"`}
            </button>
          ) : undefined
        }
      />
      <DetailsFields form={form} onChange={onChange} />
    </fieldset>
  );
}

const detailsOf = ({ title: _, ...details }: UploadForm): CommonDetails => details;

const haveDifferentDetails = (items: readonly UploadItem[]): boolean =>
  new Set(
    items
      .filter(({ phase }) => phase === "editing")
      .map(({ form }) => JSON.stringify(detailsOf(form))),
  ).size > 1;

/** Step 2: one form for one file. Several files share a form or have one each. */
export function FormStep({ onCancel, onHide }: { onCancel: () => void; onHide: () => void }) {
  const { queue } = useUploads();
  const items = useUploadItems();
  const [chosen, setChosen] = useState<string | null>(null);
  // A shared form would overwrite the details of a form that is reopened.
  const [isOneByOne, setOneByOne] = useState(() => haveDifferentDetails(items));
  // Stays a batch while its files finish one after another, so that no button changes its meaning.
  const [hasSeveral] = useState(items.length > 1);
  const item = items.find(({ id }) => id === chosen) ?? items[0];
  if (item === undefined) return null;
  const isBatch = hasSeveral && !isOneByOne;
  const waiting = items.filter(({ phase }) => phase === "editing");
  const hasBusyItem = waiting.length < items.length;
  const isBusy = isBatch ? waiting.length === 0 : item.phase !== "editing";
  const common = detailsOf((waiting[0] ?? item).form);

  const setCommon = (change: Partial<CommonDetails>) => {
    for (const { id } of waiting) queue.edit(id, { ...common, ...change });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBatch) {
      setCommon({});
      for (const each of waiting.filter(canSubmit)) queue.submit(each.id);
      return;
    }
    queue.submit(item.id);
    // Shows the next file whose form hasn't been submitted.
    setChosen(waiting.find(({ id }) => id !== item.id)?.id ?? item.id);
  };
  const isReady = isBatch
    ? waiting.some((each) => canSubmit({ ...each, form: { ...each.form, ...common } }))
    : canSubmit(item);

  return (
    <Dialog
      onClose={onCancel}
      canClose={!hasBusyItem}
      title="Upload Video"
      startsAt="#upload-form .field"
      footer={
        <>
          {hasBusyItem ? (
            <Button kind="ghost" className="me-auto" onClick={onHide}>
              Continue in background
            </Button>
          ) : null}
          <Button onClick={onCancel} disabled={hasBusyItem}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form="upload-form" disabled={!isReady}>
            {isBusy ? "Uploading..." : isBatch ? "Upload all" : "Upload Video"}
          </Button>
        </>
      }
    >
      <form id="upload-form" className="grid gap-4" onSubmit={submit}>
        {hasSeveral ? (
          <SwitchField
            label="Edit details for each file"
            hint="When off, all files share the details below but have their own titles."
            checked={isOneByOne}
            onChange={(event) => setOneByOne(event.target.checked)}
          />
        ) : null}
        {isBatch ? (
          <BatchForm items={items} common={common} isDisabled={isBusy} onCommon={setCommon} />
        ) : (
          <>
            <FileTabs items={items} current={item} onChoose={setChosen} />
            <SelectedFile item={item} onRemove={() => queue.remove(item.id)} />
            <FrameChoice key={`${item.id}frames`} item={item} />
            <FileTrouble item={item} />
            <SubmitProgress item={item} />
            <Fields
              key={item.id}
              form={item.form}
              suggestion={titleFromName(item.name)}
              isDisabled={isBusy}
              onChange={(change) => queue.edit(item.id, change)}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}

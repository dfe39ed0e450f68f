import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { limits } from "#contract/limits.ts";
import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/failures.ts";
import { conflictText } from "../shared/failure-text.ts";
import { FileButton } from "../shared/file-button.tsx";
import { bindFields, changedFields } from "../shared/bind-fields.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import {
  createItem,
  removePicture,
  sendPicture,
  labelForm,
  labelKey,
  updateItem,
} from "./calls.ts";
import type { LabelMessages } from "./messages.ts";

interface Props {
  kind: LabelKind;
  messages: LabelMessages;
  /** Null for a new label. */
  item: LabelItem | null;
  onClose: () => void;
}

/** Dialog that adds or edits a category, a tag or an actor. */
export function LabelFormDialog({ kind, messages, item, onClose }: Props) {
  const before = labelForm(item);
  const [form, setForm] = useState(before);
  const [picture, setPicture] = useState<File | null>(null);
  const created = useRef<LabelItem | null>(null);

  const saving = useMutation({
    mutationFn: async () => {
      // If only the picture failed, the item already exists.
      const stored = created.current ?? item;
      const saved =
        stored === null ? await createItem(kind, form) : await updateItem(kind, stored, form);
      created.current = saved;
      return picture === null ? saved : sendPicture(kind, saved.id, picture);
    },
    onSuccess: onClose,
    // General message. Details are shown at the field.
    meta: {
      failure: item === null ? messages.createFailed : messages.updateFailed,
      hidesFailureReason: true,
      refreshes: labelKey(kind),
    },
  });

  const fields = bindFields(
    form,
    (change) => setForm({ ...form, ...change }),
    (name) => issueOf(saving.error, name),
  );
  const nameError = issueOf(saving.error, "name") ?? conflictText(saving.error);
  return (
    <ModalForm
      title={item === null ? messages.add : messages.edit}
      submitLabel={item === null ? messages.create : messages.update}
      busyLabel={item === null ? messages.creating : messages.updating}
      isBusy={saving.isPending}
      isDirty={Object.keys(changedFields(form, before)).length > 0 || picture !== null}
      onSubmit={() => (form.name.trim() === "" ? undefined : saving.mutateAsync())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={limits.nameMax}
        {...fields.text("name")}
        error={nameError}
      />
      <TextAreaField
        label="Description"
        hint="Optional"
        maxLength={limits.descriptionMax}
        {...fields.text("description")}
      />
      <SwitchField
        label={messages.podcast}
        hint={messages.podcastHint}
        {...fields.toggle("isPodcast")}
      />
      <SwitchField label="Series" hint={messages.seriesHint} {...fields.toggle("isSeries")} />
      {kind !== "actors" ? null : item === null ? (
        <NewPicture
          messages={messages}
          file={picture}
          error={created.current === null || nameError !== null ? null : failureOf(saving.error)}
          onFile={setPicture}
        />
      ) : (
        <SavedPicture kind={kind} messages={messages} item={item} />
      )}
    </ModalForm>
  );
}

const failureOf = (error: unknown): string | null =>
  error instanceof ApiError ? error.serverMessage : null;

/** Saves the picture immediately, because it isn't a field of the form. */
function SavedPicture({ kind, messages, item }: Omit<Props, "onClose"> & { item: LabelItem }) {
  const [imageUrl, setImageUrl] = useState(item.imageUrl);
  const changing = useMutation({
    mutationFn: (file: File | null) =>
      file === null ? removePicture(kind, item.id) : sendPicture(kind, item.id, file),
    onSuccess: (saved) => setImageUrl(saved.imageUrl),
    meta: { failure: messages.pictureFailed, refreshes: labelKey(kind) },
  });
  return (
    <PictureField
      messages={messages}
      url={imageUrl}
      name={item.name}
      isBusy={changing.isPending}
      onFile={(file) => changing.mutate(file)}
    />
  );
}

/** Picture for a new actor, sent after the actor is created. */
function NewPicture({
  messages,
  file,
  error,
  onFile,
}: {
  messages: LabelMessages;
  file: File | null;
  error: string | null;
  onFile: (file: File | null) => void;
}) {
  const url = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file]);
  useEffect(
    () => () => {
      if (url !== null) URL.revokeObjectURL(url);
    },
    [url],
  );
  return (
    <div>
      <PictureField messages={messages} url={url} name={file?.name ?? ""} onFile={onFile} />
      {error === null ? null : (
        <p role="alert" className="mt-1.5 text-sm text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}

function PictureField({
  messages,
  url,
  name,
  isBusy = false,
  onFile,
}: {
  messages: LabelMessages;
  url: string | null;
  name: string;
  isBusy?: boolean;
  onFile: (file: File | null) => void;
}) {
  return (
    <fieldset className="flex items-center gap-4" disabled={isBusy}>
      <legend className="mb-1.5 text-sm font-medium">{messages.picture}</legend>
      {url === null ? (
        <div aria-hidden="true" className="size-16 shrink-0 rounded-full bg-ink-3" />
      ) : (
        <img
          src={url}
          alt={name}
          className="size-16 shrink-0 rounded-full object-cover"
          loading="lazy"
        />
      )}
      <FileButton
        label={messages.choosePicture}
        accept="image/jpeg,image/png,image/webp"
        onFile={onFile}
      />
      {url === null ? null : (
        <Button type="button" kind="ghost" onClick={() => onFile(null)}>
          {messages.removePicture}
        </Button>
      )}
    </fieldset>
  );
}

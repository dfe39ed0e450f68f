import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { TaxonomyItem, TaxonomyKind } from "../../../../contract/taxonomy.ts";
import { Button } from "../../../components/ui/button.tsx";
import { TextAreaField, TextField } from "../../../components/ui/field.tsx";
import { ApiError } from "../../../lib/api/http.ts";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import {
  createItem,
  removePicture,
  sendPicture,
  taxonomyKey,
  updateItem,
  type TaxonomyForm,
} from "./api/taxonomy-calls.ts";
import type { TaxonomyMessages } from "./messages.ts";

interface Props {
  kind: TaxonomyKind;
  messages: TaxonomyMessages;
  /** Null creates a new one. */
  item: TaxonomyItem | null;
  onClose: () => void;
}

/** Add Category, Edit Category, and the same for tags and actors. */
export function TaxonomyFormDialog({ kind, messages, item, onClose }: Props) {
  const client = useQueryClient();
  const before: TaxonomyForm = { name: item?.name ?? "", description: item?.description ?? "" };
  const [form, setForm] = useState(before);

  const saving = useMutation({
    mutationFn: () => (item === null ? createItem(kind, form) : updateItem(kind, item.id, form)),
    onSuccess: onClose,
    // The fixed text; details are shown at the field.
    meta: {
      failure: item === null ? messages.createFailed : messages.updateFailed,
      isFailurePlain: true,
    },
    onSettled: () => void client.invalidateQueries({ queryKey: taxonomyKey(kind) }),
  });

  return (
    <ModalForm
      isOpen
      title={item === null ? messages.add : messages.edit}
      submitLabel={item === null ? messages.create : messages.update}
      busyLabel={item === null ? messages.creating : messages.updating}
      isBusy={saving.isPending}
      isDirty={form.name !== before.name || form.description !== before.description}
      onSubmit={() => {
        // Submitting an empty name does nothing.
        if (form.name.trim() !== "") saving.mutate();
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={limits.nameMax}
        value={form.name}
        error={issueOf(saving.error, "name") ?? conflictOf(saving.error)}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      <TextAreaField
        label="Description"
        hint="Optional"
        maxLength={limits.descriptionMax}
        value={form.description}
        error={issueOf(saving.error, "description")}
        onChange={(event) => setForm({ ...form, description: event.target.value })}
      />
      {kind === "actors" && item !== null ? (
        <PictureField kind={kind} messages={messages} item={item} />
      ) : null}
    </ModalForm>
  );
}

const conflictOf = (error: unknown): string | null =>
  error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

/** The picture is saved at once, since it is not a field of the form. */
function PictureField({ kind, messages, item }: Omit<Props, "onClose"> & { item: TaxonomyItem }) {
  const client = useQueryClient();
  const [imageUrl, setImageUrl] = useState(item.imageUrl);
  const input = useRef<HTMLInputElement>(null);
  const changing = useMutation({
    mutationFn: (file: File | null) =>
      file === null ? removePicture(kind, item.id) : sendPicture(kind, item.id, file),
    onSuccess: (saved) => setImageUrl(saved.imageUrl),
    meta: { failure: messages.pictureFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: taxonomyKey(kind) }),
  });

  return (
    <fieldset className="flex items-center gap-4" disabled={changing.isPending}>
      <legend className="mb-1.5 text-sm font-medium">{messages.picture}</legend>
      {imageUrl === null ? (
        <div aria-hidden="true" className="size-16 shrink-0 rounded-full bg-ink-3" />
      ) : (
        <img
          src={imageUrl}
          alt={item.name}
          className="size-16 shrink-0 rounded-full object-cover"
          loading="lazy"
        />
      )}
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        aria-label={messages.choosePicture}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) changing.mutate(file);
          event.target.value = "";
        }}
      />
      <Button type="button" onClick={() => input.current?.click()}>
        {messages.choosePicture}
      </Button>
      {imageUrl === null ? null : (
        <Button type="button" kind="ghost" onClick={() => changing.mutate(null)}>
          {messages.removePicture}
        </Button>
      )}
    </fieldset>
  );
}

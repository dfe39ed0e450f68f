import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Advertiser } from "../../contract/campaigns.ts";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { EditConflict } from "#web/features/admin/shared/editing/edit-conflict.tsx";
import { createFormMerge } from "#web/features/admin/shared/editing/merge-forms.ts";
import { useEditedForm } from "#web/features/admin/shared/editing/use-edited-form.ts";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import { campaignsKey, listAdvertisers, saveAdvertiser } from "./api/campaign-calls.ts";
import { campaignMessages as messages } from "./messages.ts";

const labels = { name: "Name", contact: "Contact", notes: "Notes" };
type AdvertiserForm = typeof labels;
const merge = createFormMerge<AdvertiserForm>(labels);

/** Dialog that adds or edits an advertiser. */
export function AdvertiserDialog({
  advertiser,
  onClose,
}: {
  /** Null for a new advertiser. */
  advertiser: Advertiser | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const edit = useEditedForm<Advertiser | null, AdvertiserForm>({
    item: advertiser,
    formOf: (item) => ({
      name: item?.name ?? "",
      contact: item?.contact ?? "",
      notes: item?.notes ?? "",
    }),
    merge,
    save: (base, filled) => saveAdvertiser(base?.id ?? null, { ...filled, version: base?.version }),
    load: async () => (await listAdvertisers()).find(({ id }) => id === advertiser?.id) ?? null,
  });
  const { form, set } = edit;
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
    },
    meta: { failure: messages.advertiserSaveFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });
  const { error } = saving;
  const taken = error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

  return (
    <ModalForm
      isOpen
      title={advertiser === null ? messages.addAdvertiser : messages.editAdvertiser}
      submitLabel={advertiser === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== "" && edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <EditConflict edit={edit} />
      <TextField
        label={labels.name}
        required
        maxLength={200}
        value={form.name}
        error={issueOf(error, "name") ?? taken}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label={labels.contact}
        hint="An email address or a phone number"
        maxLength={300}
        value={form.contact}
        error={issueOf(error, "contact")}
        onChange={(event) => set({ contact: event.target.value })}
      />
      <TextAreaField
        label={labels.notes}
        rows={3}
        maxLength={2000}
        value={form.notes}
        error={issueOf(error, "notes")}
        onChange={(event) => set({ notes: event.target.value })}
      />
    </ModalForm>
  );
}

import { useMutation } from "@tanstack/react-query";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { bindFields } from "#web/features/admin/shared/bind-fields.ts";
import { EditConflict } from "#web/features/admin/shared/editing/edit-conflict.tsx";
import {
  useEditedForm,
  createFormMerge,
} from "#web/features/admin/shared/editing/use-edited-form.ts";
import { conflictText } from "#web/features/admin/shared/failure-text.ts";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import type { Advertiser } from "../../contract/campaigns.ts";
import { campaignsKey } from "../ads/calls.ts";
import { listAdvertisers, saveAdvertiser } from "./calls.ts";

const labels = { name: "Name", contact: "Contact", notes: "Notes" };
type AdvertiserForm = typeof labels;
const merge = createFormMerge<AdvertiserForm>(labels);

/** Dialog that adds or edits an advertiser. */
export function AdvertiserDialog({
  advertiser,
  onSaved,
  onClose,
}: {
  /** Null for a new advertiser. */
  advertiser: Advertiser | null;
  onSaved?: (advertiser: Advertiser) => void;
  onClose: () => void;
}) {
  const edit = useEditedForm<Advertiser | null, AdvertiserForm>({
    item: advertiser,
    formOf: (item) => ({
      name: item?.name ?? "",
      contact: item?.contact ?? "",
      notes: item?.notes ?? "",
    }),
    merge,
    async save(base, filled) {
      const input = { ...filled, version: base?.version };
      const saved = await saveAdvertiser(base?.id ?? null, input);
      onSaved?.(saved);
      return saved;
    },
    load: async () => (await listAdvertisers()).find(({ id }) => id === advertiser?.id) ?? null,
  });
  const { form, set } = edit;
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
    },
    meta: { failure: "Couldn't save the advertiser.", refreshes: campaignsKey },
  });
  const { error } = saving;
  const fields = bindFields(form, set, (name) => issueOf(error, name));

  return (
    <ModalForm
      title={advertiser === null ? "Add Advertiser" : "Edit Advertiser"}
      submitLabel={advertiser === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== "" && edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <EditConflict edit={edit} />
      <TextField
        label={labels.name}
        required
        maxLength={200}
        {...fields.text("name")}
        error={issueOf(error, "name") ?? conflictText(error)}
      />
      <TextField
        label={labels.contact}
        hint="An email address or a phone number"
        maxLength={300}
        {...fields.text("contact")}
      />
      <TextAreaField label={labels.notes} rows={3} maxLength={2000} {...fields.text("notes")} />
    </ModalForm>
  );
}

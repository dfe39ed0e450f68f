import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Advertiser } from "../../../../contract/campaigns.ts";
import { TextAreaField, TextField } from "../../../components/ui/field.tsx";
import { ApiError } from "../../../lib/api/http.ts";
import { issueOf } from "../../../lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { campaignsKey, saveAdvertiser } from "./api/campaign-calls.ts";
import { campaignMessages as messages } from "./messages.ts";

/** Adds or edits an advertiser. */
export function AdvertiserDialog({
  advertiser,
  onClose,
}: {
  /** Null for a new one. */
  advertiser: Advertiser | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const initial = {
    name: advertiser?.name ?? "",
    contact: advertiser?.contact ?? "",
    notes: advertiser?.notes ?? "",
  };
  const [form, setForm] = useState(initial);
  const saving = useMutation({
    mutationFn: () => saveAdvertiser(advertiser?.id ?? null, form),
    onSuccess: onClose,
    meta: { failure: messages.advertiserSaveFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });
  const { error } = saving;
  const taken = error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });

  return (
    <ModalForm
      isOpen
      title={advertiser === null ? messages.addAdvertiser : messages.editAdvertiser}
      submitLabel={advertiser === null ? "Create" : "Update"}
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== ""}
      isDirty={JSON.stringify(form) !== JSON.stringify(initial)}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={200}
        value={form.name}
        error={issueOf(error, "name") ?? taken}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label="Contact"
        hint="An email address or a phone number"
        maxLength={300}
        value={form.contact}
        error={issueOf(error, "contact")}
        onChange={(event) => set({ contact: event.target.value })}
      />
      <TextAreaField
        label="Notes"
        rows={3}
        maxLength={2000}
        value={form.notes}
        error={issueOf(error, "notes")}
        onChange={(event) => set({ notes: event.target.value })}
      />
    </ModalForm>
  );
}

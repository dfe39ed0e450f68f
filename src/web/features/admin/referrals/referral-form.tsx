import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Referral } from "#contract/visitors/referrals.ts";
import { SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { bindFields } from "../shared/bind-fields.ts";
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { referralsKey, saveReferral } from "./calls.ts";

/** Dialog that adds or edits a referral. */
export function ReferralFormDialog({
  referral,
  onClose,
}: {
  referral: Referral | null;
  onClose: () => void;
}) {
  const [form, setForm] = useState({
    name: referral?.name ?? "",
    code: referral?.code ?? "",
    target: referral?.target ?? "/",
    note: referral?.note ?? "",
    isActive: referral?.isActive ?? true,
  });
  const [isDirty, setDirty] = useState(false);
  const set = (change: Partial<typeof form>) => {
    setDirty(true);
    setForm({ ...form, ...change });
  };

  const saving = useMutation({
    mutationFn: () => saveReferral(referral?.id ?? null, form),
    onSuccess: onClose,
    meta: {
      failure: referral === null ? "Failed to create referral" : "Failed to update referral",
      refreshes: referralsKey,
    },
  });
  const { error } = saving;
  const fields = bindFields(form, set, (name) => issueOf(error, name));

  return (
    <ModalForm
      title={referral === null ? "Add Referral" : "Edit Referral"}
      submitLabel={referral === null ? "Create" : "Update"}
      busyLabel={referral === null ? "Creating..." : "Updating..."}
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== "" && form.code.trim() !== ""}
      isDirty={isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} {...fields.text("name")} />
      <TextField
        label="Code"
        required
        maxLength={40}
        hint="Lowercase letters, digits and hyphens. Added to links as ?ref=code"
        {...fields.text("code")}
        error={issueOf(error, "code") ?? conflictText(error)}
      />
      <TextField
        label="Target"
        hint="The page on this site that the link opens"
        maxLength={500}
        {...fields.text("target")}
      />
      <TextAreaField label="Note" rows={3} maxLength={1000} {...fields.text("note")} />
      <SwitchField
        label="Active"
        hint="Counts visits from this link"
        {...fields.toggle("isActive")}
      />
    </ModalForm>
  );
}

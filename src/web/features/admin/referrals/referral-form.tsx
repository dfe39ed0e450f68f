import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Referral } from "#contract/visitors/referrals.ts";
import { SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { referralsKey, saveReferral } from "./api/referral-calls.ts";
import { referralMessages as messages } from "./messages.ts";

/** Dialog that adds or edits a referral. */
export function ReferralFormDialog({
  referral,
  onClose,
}: {
  referral: Referral | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
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
    meta: { failure: referral === null ? messages.createFailed : messages.updateFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: referralsKey }),
  });
  const { error } = saving;
  const taken = error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

  return (
    <ModalForm
      isOpen
      title={referral === null ? messages.add : messages.edit}
      submitLabel={referral === null ? messages.create : messages.update}
      busyLabel={referral === null ? messages.creating : messages.updating}
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== "" && form.code.trim() !== ""}
      isDirty={isDirty}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        value={form.name}
        error={issueOf(error, "name")}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label="Code"
        required
        maxLength={40}
        hint="Lowercase letters, digits and hyphens. Added to links as ?ref=code"
        value={form.code}
        error={issueOf(error, "code") ?? taken}
        onChange={(event) => set({ code: event.target.value })}
      />
      <TextField
        label="Target"
        hint="The page on this site that the link opens"
        maxLength={500}
        value={form.target}
        error={issueOf(error, "target")}
        onChange={(event) => set({ target: event.target.value })}
      />
      <TextAreaField
        label="Note"
        rows={3}
        maxLength={1000}
        value={form.note}
        error={issueOf(error, "note")}
        onChange={(event) => set({ note: event.target.value })}
      />
      <SwitchField
        label="Active"
        hint="Counts visits from this link"
        checked={form.isActive}
        onChange={(event) => set({ isActive: event.target.checked })}
      />
    </ModalForm>
  );
}

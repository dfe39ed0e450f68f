import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { mergeItem, labelKey } from "./calls.ts";
import type { LabelMessages } from "./messages.ts";

/** Merges two labels. Old URLs redirect to the remaining one. */
export function MergeDialog({
  kind,
  messages,
  item,
  others,
  onClose,
}: {
  kind: LabelKind;
  messages: LabelMessages;
  item: LabelItem;
  others: readonly LabelItem[];
  onClose: () => void;
}) {
  const [into, setInto] = useState("");
  const merging = useMutation({
    mutationFn: () => mergeItem(kind, item.id, into),
    onSuccess: onClose,
    meta: { success: messages.merged, failure: messages.mergeFailed, refreshes: labelKey(kind) },
  });

  return (
    <ModalForm
      title={messages.merge}
      description={messages.mergeHint(item.name)}
      submitLabel={messages.merge}
      busyLabel={messages.merging}
      isBusy={merging.isPending}
      canSubmit={into !== ""}
      onSubmit={() => merging.mutateAsync()}
      onClose={onClose}
    >
      <SelectField
        label={messages.mergeInto}
        required
        value={into}
        onChange={(event) => setInto(event.target.value)}
        options={[
          { value: "", label: "Choose..." },
          ...others
            .filter((other) => other.id !== item.id)
            .map((other) => ({ value: other.id, label: `${other.name} (/${other.slug})` })),
        ]}
      />
    </ModalForm>
  );
}

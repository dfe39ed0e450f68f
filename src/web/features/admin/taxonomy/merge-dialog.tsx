import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { TaxonomyItem, TaxonomyKind } from "#contract/taxonomy.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { notify } from "../shared/notices.tsx";
import { mergeItem, taxonomyKey } from "./api/taxonomy-calls.ts";
import type { TaxonomyMessages } from "./messages.ts";

/** Merges two labels; old addresses redirect. */
export function MergeDialog({
  kind,
  messages,
  item,
  others,
  onClose,
}: {
  kind: TaxonomyKind;
  messages: TaxonomyMessages;
  item: TaxonomyItem;
  others: readonly TaxonomyItem[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [into, setInto] = useState("");
  const merging = useMutation({
    mutationFn: () => mergeItem(kind, item.id, into),
    onSuccess: () => {
      notify.success(messages.merged);
      onClose();
    },
    meta: { failure: messages.mergeFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: taxonomyKey(kind) }),
  });

  return (
    <ModalForm
      isOpen
      title={messages.merge}
      description={messages.mergeHint(item.name)}
      submitLabel={messages.merge}
      busyLabel={messages.merging}
      isBusy={merging.isPending}
      canSubmit={into !== ""}
      onSubmit={() => merging.mutate()}
      onClose={onClose}
    >
      <SelectField
        label={messages.mergeInto}
        required
        value={into}
        onChange={(event) => setInto(event.target.value)}
        options={[
          { value: "", label: `Choose a ${messages.one}` },
          ...others
            .filter((other) => other.id !== item.id)
            .map((other) => ({ value: other.id, label: `${other.name} (/${other.slug})` })),
        ]}
      />
    </ModalForm>
  );
}

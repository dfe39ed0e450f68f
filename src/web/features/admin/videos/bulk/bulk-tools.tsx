import { useMutation } from "@tanstack/react-query";
import { ChevronDownIcon } from "lucide-react";
import { useState } from "react";
import type { BulkAction, BulkTarget } from "#contract/videos/admin-videos.ts";
import { describeRenewals } from "#contract/videos/renewal-words.ts";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import { LabelNamesField } from "../../shared/labels/label-names-field.tsx";
import { splitNames } from "../../shared/labels/label-names.ts";
import { notify } from "../../shared/notices.tsx";
import { useCan } from "../../shared/use-can.ts";
import { ModalForm } from "../../shared/modal-form.tsx";
import { planReprocess } from "../api/bulk.ts";
import { bulkQuestion } from "./bulk-texts.ts";

interface LabelAsk {
  kind: "add_labels" | "remove_labels";
  label: LabelKind;
}

function LabelDialog({
  ask,
  count,
  onNames,
  onClose,
}: {
  ask: LabelAsk;
  count: number;
  onNames: (names: string[]) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  const names = splitNames(text);
  const verb = ask.kind === "add_labels" ? "Add" : "Remove";
  return (
    <ModalForm
      size="small"
      title={bulkQuestion({ ...ask, names: [] }, count).replace("?", "")}
      submitLabel={verb}
      busyLabel={verb}
      isBusy={false}
      canSubmit={names.length > 0}
      onSubmit={() => {
        onNames(names);
        return undefined;
      }}
      onClose={onClose}
    >
      <LabelNamesField kind={ask.label} value={text} onValue={setText} isRequired />
    </ModalForm>
  );
}

/** Bulk actions on videos. */
export function BulkTools({
  count,
  target,
  onAction,
}: {
  count: number;
  target: BulkTarget;
  onAction: (action: BulkAction) => void;
}) {
  const can = useCan();
  const [ask, setAsk] = useState<LabelAsk | null>(null);

  const confirm = async (action: BulkAction, confirmLabel: string) => {
    const kind = action.kind === "delete" ? "danger" : "primary";
    if (await confirmAction(bulkQuestion(action, count), confirmLabel, kind)) onAction(action);
  };

  const planning = useMutation({
    mutationFn: () => planReprocess(target),
    async onSuccess(plan) {
      const action = { kind: "reprocess" } as const;
      const question = `${bulkQuestion(action, count)} ${describeRenewals(plan)} Current renditions play until then.`;
      if (plan.ready === 0) notify.failure(describeRenewals(plan));
      else if (await confirmAction(question, "Reprocess")) onAction(action);
    },
    meta: { failure: "Failed to estimate the reprocessing" },
  });

  return (
    <>
      <Button size="small" onClick={() => void confirm({ kind: "publish" }, "Publish")}>
        Publish
      </Button>
      <Button size="small" onClick={() => void confirm({ kind: "unpublish" }, "Unpublish")}>
        Unpublish
      </Button>
      {can("content.edit") ? (
        <Menu
          label="More bulk actions"
          triggerClassName={buttonClass({ size: "small" })}
          trigger={
            <>
              More
              <ChevronDownIcon aria-hidden="true" className="size-3.5" />
            </>
          }
          entries={[
            ...labelKinds.map((label) => ({
              label: `Add ${label}`,
              onSelect: () => setAsk({ kind: "add_labels", label }),
            })),
            ...labelKinds.map((label) => ({
              label: `Remove ${label}`,
              onSelect: () => setAsk({ kind: "remove_labels", label }),
            })),
            {
              label: "Mark as premium",
              onSelect: () =>
                void confirm({ kind: "set_premium", isPremium: true }, "Mark as premium"),
            },
            {
              label: "Mark as free",
              onSelect: () =>
                void confirm({ kind: "set_premium", isPremium: false }, "Mark as free"),
            },
            { label: "Reprocess", onSelect: () => planning.mutate() },
          ]}
        />
      ) : null}
      {can("content.remove") ? (
        <Button
          size="small"
          className="ms-4 text-danger-text! hover:bg-danger-soft"
          onClick={() => void confirm({ kind: "delete" }, "Delete")}
        >
          Delete
        </Button>
      ) : null}
      {ask === null ? null : (
        <LabelDialog
          ask={ask}
          count={count}
          onClose={() => setAsk(null)}
          onNames={(names) => {
            setAsk(null);
            onAction({ ...ask, names });
          }}
        />
      )}
    </>
  );
}

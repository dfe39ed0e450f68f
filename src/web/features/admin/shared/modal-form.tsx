import { useId, useRef, type ReactNode, type SubmitEvent } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, type DialogSize } from "../../../components/ui/dialog.tsx";
import { confirmAction } from "../../../components/ui/confirm-dialog.tsx";

/** A form in a dialog: Cancel, and a submit button that shows progress. */
export function ModalForm({
  isOpen,
  title,
  description,
  size,
  submitLabel,
  busyLabel,
  isBusy,
  canSubmit = true,
  isDirty = false,
  onSubmit,
  onClose,
  children,
}: {
  isOpen: boolean;
  title: string;
  description?: string;
  size?: DialogSize;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  canSubmit?: boolean;
  /** Escape and the close button ask before they discard changes; Cancel does not. */
  isDirty?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const isAsking = useRef(false);

  const leave = async () => {
    if (isAsking.current) return;
    if (isDirty) {
      isAsking.current = true;
      const isSure = await confirmAction("Discard your changes?", { confirmLabel: "Discard" });
      isAsking.current = false;
      if (!isSure) return;
    }
    onClose();
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy && canSubmit) onSubmit();
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => void leave()}
      title={title}
      description={description}
      size={size}
      canClose={!isBusy}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={id} disabled={isBusy || !canSubmit}>
            {isBusy ? busyLabel : submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="grid gap-4">
        {children}
      </form>
    </Dialog>
  );
}

import { useId, useRef, type ReactNode, type SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog, type DialogSize } from "#web/components/ui/dialog.tsx";
import { confirmDiscard, useUnsaved } from "./unsaved.ts";

/** Form in a dialog with Cancel and a submit button that shows progress. */
export function ModalForm({
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
  title: string;
  description?: string;
  size?: DialogSize;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  canSubmit?: boolean;
  /** True if closing the dialog must ask before it discards changes. Cancel never asks. */
  isDirty?: boolean;
  /**
   * Returns a promise that settles when the request has ended, or undefined if it sent none. The form
   * can't be submitted again until then. The mutation reports failures.
   */
  onSubmit: () => Promise<unknown> | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  useUnsaved(isDirty);

  const leave = async () => {
    if (!isDirty || (await confirmDiscard())) onClose();
  };

  // Holds from the press, because `isBusy` only follows with the next render.
  const isSending = useRef(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current || isBusy || !canSubmit) return;
    isSending.current = true;
    try {
      await onSubmit();
    } catch (error) {
      console.warn("The form was not saved", error);
    } finally {
      isSending.current = false;
    }
  };

  return (
    <Dialog
      startsAt={`[id="${id}"] :is(.field, input:checked):enabled`}
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
      <form id={id} onSubmit={(event) => void submit(event)} className="grid gap-4">
        {children}
      </form>
    </Dialog>
  );
}

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

interface Question {
  text: string;
  confirmLabel: string;
  isDanger: boolean;
  settle: (isConfirmed: boolean) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function setQuestion(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks the user. Resolves with true if they agree. The page must contain a `ConfirmHost`. */
export function confirmAction(
  text: string,
  options: { confirmLabel?: string; isDanger?: boolean } = {},
): Promise<boolean> {
  question?.settle(false);
  return new Promise((resolve) => {
    setQuestion({
      text,
      confirmLabel: options.confirmLabel ?? "OK",
      isDanger: options.isDanger ?? false,
      settle: (isConfirmed) => {
        setQuestion(null);
        resolve(isConfirmed);
      },
    });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the dialogs of `confirmAction`. Render it once. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(
    subscribe,
    () => question,
    () => null,
  );
  return (
    <Base.Root
      open={asked !== null}
      onOpenChange={(open) => {
        if (!open) asked?.settle(false);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className={classNames("dialog-popup", "max-w-md")}>
          <div className="p-5">
            <Base.Title className="text-base font-semibold text-balance">{asked?.text}</Base.Title>
            <div className="mt-5 flex justify-end gap-3">
              <Base.Close render={<Button />}>Cancel</Base.Close>
              <Button
                kind={asked?.isDanger === true ? "danger" : "primary"}
                onClick={() => asked?.settle(true)}
              >
                {asked?.confirmLabel}
              </Button>
            </div>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

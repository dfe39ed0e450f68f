import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { useRef, useSyncExternalStore } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { MessagePlace } from "./toast.tsx";

const messages = inLanguage("ui");

interface Question {
  text: string;
  confirmLabel: string;
  kind: "primary" | "danger";
  settle: (isConfirmed: boolean) => void;
}

interface Asked {
  /** Preserved when the dialog closes, because its texts fade out with it. */
  question: Question | null;
  isOpen: boolean;
}

const nothingAsked: Asked = { question: null, isOpen: false };
let current = nothingAsked;
const listeners = new Set<() => void>();

function setCurrent(next: Asked): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks the user. Resolves with true if they agree. The page must contain a `ConfirmHost`. */
export function confirmAction(
  text: string,
  confirmLabel: string,
  kind: Question["kind"] = "primary",
): Promise<boolean> {
  current.question?.settle(false);
  return new Promise((resolve) => {
    const question: Question = {
      text,
      confirmLabel,
      kind,
      settle: (isConfirmed) => {
        setCurrent({ question, isOpen: false });
        resolve(isConfirmed);
      },
    };
    setCurrent({ question, isOpen: true });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the dialogs of `confirmAction`. Render it once. */
export function ConfirmHost() {
  const { question: asked, isOpen } = useSyncExternalStore(
    subscribe,
    () => current,
    () => nothingAsked,
  );
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) asked?.settle(false);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className={classNames("dialog-popup", "max-w-md")} initialFocus={cancel}>
          <div className="p-5">
            <Base.Title className="text-base font-semibold text-balance">{asked?.text}</Base.Title>
            <MessagePlace />
            <div className="mt-5 flex justify-end gap-3">
              <Base.Close ref={cancel} render={<Button />}>
                {messages.cancel}
              </Base.Close>
              <Button kind={asked?.kind} onClick={() => asked?.settle(true)}>
                {asked?.confirmLabel}
              </Button>
            </div>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

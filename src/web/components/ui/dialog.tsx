import { XIcon } from "lucide-react";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useEffect, type ReactNode } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { classNames } from "./class-names.ts";
import { buttonClass } from "./button.tsx";
import { MessagePlace } from "./toast.tsx";

const messages = inLanguage("ui");

export type DialogSize = "small" | "medium" | "large" | "wide";

const widths: Record<DialogSize, string> = {
  small: "max-w-md",
  medium: "max-w-xl",
  large: "max-w-3xl",
  wide: "max-w-6xl",
};

/**
 * Keeps the focus in the dialog when Tab is pressed twice within a frame. The guard at the edge only
 * moves the focus back with the next frame.
 */
function useFirmEdges(): void {
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (event.key !== "Tab") return;
      if (document.activeElement?.hasAttribute("data-base-ui-focus-guard") === true) {
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", hold);
    return () => document.removeEventListener("keydown", hold);
  }, []);
}

/**
 * Modal dialog. The focus stays inside, Escape closes it, and the page behind doesn't scroll. If
 * `canClose` is false, it stays open, for example during an upload. `footer` stays visible.
 */
export function Dialog({
  isOpen = true,
  onClose,
  title,
  description,
  size = "medium",
  canClose = true,
  startsAt,
  footer,
  children,
}: {
  /** False for a dialog that is rendered while it is closed, so that it can fade out. */
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  size?: DialogSize;
  canClose?: boolean;
  /** Selector of the element that gets the focus first. By default, it is the close button. */
  startsAt?: string;
  footer?: ReactNode;
  children?: ReactNode;
}) {
  useFirmEdges();
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(open) => {
        if (!open && canClose) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup
          className={classNames("dialog-popup", widths[size])}
          initialFocus={(opened) =>
            // On touch screens, the keyboard would cover the form.
            opened === "touch" ||
            startsAt === undefined ||
            (document.querySelector<HTMLElement>(startsAt) ?? true)
          }
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold tracking-tight">{title}</Base.Title>
              {description === undefined ? null : (
                <Base.Description className="mt-1 text-sm text-ink-11">
                  <bdi>{description}</bdi>
                </Base.Description>
              )}
            </div>
            <Base.Close
              aria-label={messages.close}
              disabled={!canClose}
              className={classNames(buttonClass({ kind: "ghost", isSquare: true }), "-mt-2 -me-2")}
            >
              <XIcon className="size-5" />
            </Base.Close>
          </header>
          <div className="relative min-h-0 flex-auto overflow-y-auto px-5 pb-5 [@media(height<30rem)]:overflow-visible">
            {children}
          </div>
          <MessagePlace />
          {footer === undefined ? null : (
            <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-4">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

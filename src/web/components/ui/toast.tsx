import { useEffect, type ReactNode, type Ref } from "react";
import { createPortal } from "react-dom";
import { limits } from "#contract/limits.ts";
import { createStore, useStore } from "#web/lib/store.ts";
import { classNames } from "./class-names.ts";

type ToastKind = "success" | "error" | "info";

interface ToastItem {
  id: number;
  kind: ToastKind;
  text: string;
}

const toasts = createStore<readonly ToastItem[]>([]);
let lastId = 0;

/** Height of the area at the bottom of the screen that toasts can cover. */
const toasterPx = 240;
let pressed: Element | null = null;
let isAtTop = false;

function notePress({ target }: Event): void {
  pressed = target instanceof Element ? target : null;
}

/**
 * Moves toasts to the top after a press at the bottom of the screen, so that they don't cover
 * buttons.
 */
function placeToasts(): void {
  const { bottom = 0 } = pressed?.getBoundingClientRect() ?? {};
  isAtTop = bottom > window.innerHeight - toasterPx;
}

function show(kind: ToastKind, text: string): void {
  lastId += 1;
  const id = lastId;
  placeToasts();
  // A repeated text is shown once, and at most three toasts at a time.
  const others = toasts.get().filter((item) => item.text !== text);
  toasts.replace([...others, { id, kind, text }].slice(-3));
  setTimeout(() => toasts.replace(toasts.get().filter((item) => item.id !== id)), limits.toastMs);
}

/** Short messages at the edge of the screen, shown for 3 seconds. */
export const toast = {
  success: (text: string) => show("success", text),
  error: (text: string) => show("error", text),
  info: (text: string) => show("info", text),
};

/** Elements in the open dialogs in which messages appear, topmost last. */
const places = createStore<readonly Element[]>([]);

function addPlace(element: Element | null): (() => void) | undefined {
  if (element === null) return undefined;
  places.replace([...places.get(), element]);
  return () => places.replace(places.get().filter((each) => each !== element));
}

/**
 * Place for messages between the content and the buttons of a dialog. At the edge of the screen,
 * they would cover its buttons.
 */
export function MessagePlace() {
  return <div ref={addPlace} className="message-place" />;
}

/** Returns whether messages appear in a dialog. */
export const useIsInDialog = (): boolean => useStore(places, (all) => all.length > 0);

/** Live region for messages: in the open dialog, otherwise at the edge of the screen. */
export function MessageStack({
  role,
  isAtTop = false,
  ref,
  children,
}: {
  role: "status" | "alert";
  isAtTop?: boolean;
  ref?: Ref<HTMLDivElement>;
  children: readonly ReactNode[];
}) {
  const place = useStore(places, (all) => all.at(-1) ?? null);
  const messages = (
    <div
      ref={ref}
      // Dialogs have their own status texts and alerts.
      role={place === null ? role : undefined}
      aria-live={role === "alert" ? "assertive" : "polite"}
      className={place === null ? "toaster" : undefined}
      data-top={(place === null && children.length > 0 && isAtTop) || undefined}
    >
      {children}
    </div>
  );
  return place === null ? messages : createPortal(messages, place);
}

const looks: Record<ToastKind, string> = {
  success: "bg-done text-white",
  error: "bg-danger text-white",
  info: "bg-ink-12 text-ink-1",
};

/** Shows toasts. Screen readers announce them because the live region exists from the start. */
export function Toaster() {
  const shown = useStore(toasts, (all) => all);
  useEffect(() => {
    document.addEventListener("click", notePress, true);
    return () => document.removeEventListener("click", notePress, true);
  }, []);
  return (
    <MessageStack role="status" isAtTop={isAtTop}>
      {shown.map((item) => (
        <p key={item.id} className={classNames("toast", looks[item.kind])}>
          {item.text}
        </p>
      ))}
    </MessageStack>
  );
}

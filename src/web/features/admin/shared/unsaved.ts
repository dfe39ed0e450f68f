import { useEffect } from "react";
import { NavigationType, useBlocker } from "react-router";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";

/** Forms on the page with unsaved changes. */
const unsaved = new Set<symbol>();
let asking: Promise<boolean> | null = null;

/** Asks whether to discard unsaved changes. Resolves with true if there are none. */
export function confirmDiscard(): Promise<boolean> {
  if (unsaved.size === 0) return Promise.resolve(true);
  asking ??= confirmAction("Discard your changes?", "Discard").finally(() => {
    asking = null;
  });
  return asking;
}

/** Runs `action` unless the user wants to keep unsaved changes. */
export function discardThen(action: () => void): void {
  void confirmDiscard().then((hasAgreed) => {
    if (hasAgreed) action();
  });
}

/** Asks before the user leaves the page or the back office while a form has unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = Symbol("form");
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(form);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(form);
      window.removeEventListener("beforeunload", warn);
    };
  }, [isUnsaved]);
}

/** Render it only once, because a router has one blocker. */
export function UnsavedGuard(): null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsaved.size > 0 &&
      (currentLocation.pathname !== nextLocation.pathname ||
        // Pages ask before they change their own filters, except when the browser goes back.
        (historyAction === NavigationType.Pop && currentLocation.search !== nextLocation.search)),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void confirmDiscard().then((hasAgreed) => (hasAgreed ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  return null;
}

import { useEffect, useState } from "react";
import { NavigationType, useBlocker } from "react-router";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";

/** Forms on the page with unsaved changes. True if the form ends when the query of the URL changes. */
const unsaved = new Map<symbol, boolean>();
let asking: Promise<boolean> | null = null;

/**
 * Asks whether to discard unsaved changes. Resolves with true if there are none.
 * @param own form to leave out, because it is about to be sent.
 */
export function confirmDiscard(own?: symbol): Promise<boolean> {
  if ([...unsaved.keys()].every((form) => form === own)) return Promise.resolve(true);
  asking ??= confirmAction("Discard your changes?", "Discard").finally(() => {
    asking = null;
  });
  return asking;
}

/** Runs `action` unless the user wants to keep unsaved changes. */
export function discardThen(action: () => void, own?: symbol): void {
  void confirmDiscard(own).then((hasAgreed) => {
    if (hasAgreed) action();
  });
}

/**
 * Asks before the user leaves the page or the back office while a form has unsaved changes.
 * @param options.endsWithSearch also asks before Back and Forward change the query of the URL.
 * @returns the form, for `confirmDiscard`.
 */
export function useUnsaved(isUnsaved: boolean, { endsWithSearch = false } = {}): symbol {
  const [form] = useState(() => Symbol("form"));
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.set(form, endsWithSearch);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(form);
      window.removeEventListener("beforeunload", warn);
    };
  }, [form, isUnsaved, endsWithSearch]);
  return form;
}

/** Render it only once, because a router has one blocker. */
export function UnsavedGuard(): null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsaved.size > 0 &&
      (currentLocation.pathname !== nextLocation.pathname ||
        // Controls that change the query ask first. Back and Forward are blocked here.
        (historyAction === NavigationType.Pop &&
          currentLocation.search !== nextLocation.search &&
          [...unsaved.values()].includes(true))),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void confirmDiscard().then((hasAgreed) => (hasAgreed ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  return null;
}

import { XIcon } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { toast } from "#web/components/ui/toast.tsx";

interface Failure {
  id: number;
  text: string;
}

const longestShown = 3;
/** Milliseconds until a failure disappears, unless the user dismisses it earlier. */
const failureShownMs = 15_000;

let failures: readonly Failure[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setFailures(next: readonly Failure[]): void {
  failures = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => setFailures(failures.filter((failure) => failure.id !== id));

/** Shows alerts. Failures stay longer than successes. */
export const notify = {
  success: (text: string): void => toast.success(text),
  failure: (text: string): void => {
    lastId += 1;
    const others = failures.filter((failure) => failure.text !== text);
    setFailures([...others, { id: lastId, text }].slice(-longestShown));
  },
  /** Call it when an action has succeeded. Removes failures that start with this text. */
  settle: (prefix: string): void => {
    const left = failures.filter(({ text }) => text !== prefix && !text.startsWith(`${prefix}: `));
    if (left.length < failures.length) setFailures(left);
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function FailureNotice({ id, text }: Failure) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), failureShownMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="toast pointer-events-auto flex items-start gap-2 bg-danger py-2! pe-2! text-white">
      <p className="min-w-0 flex-1 py-1.5 break-words">{text}</p>
      <button
        type="button"
        aria-label="Dismiss"
        className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-danger-strong"
        onClick={() => dismiss(id)}
      >
        <XIcon className="size-4" />
      </button>
    </div>
  );
}

/** Shows failures. Screen readers announce them because the live region exists from the start. */
export function NoticeHost() {
  const shown = useSyncExternalStore(
    subscribe,
    () => failures,
    () => failures,
  );
  return (
    <div role="alert" aria-live="assertive" className="toaster z-80! bottom-20!">
      {shown.map((failure) => (
        <FailureNotice key={failure.id} {...failure} />
      ))}
    </div>
  );
}

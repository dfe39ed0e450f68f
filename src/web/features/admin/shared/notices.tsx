import { XIcon } from "lucide-react";
import { useEffect } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { createStore } from "#web/lib/store.ts";
import { useStore } from "#web/lib/use-store.ts";

interface Failure {
  id: number;
  text: string;
}

const longestShown = 3;
/** Milliseconds until a failure disappears, unless the user dismisses it earlier. */
const failureShownMs = 15_000;

const failures = createStore<readonly Failure[]>([]);
let lastId = 0;

const dismiss = (id: number) =>
  failures.replace(failures.get().filter((failure) => failure.id !== id));

/** Shows alerts. Failures stay longer than successes. */
export const notify = {
  success: (text: string): void => toast.success(text),
  failure: (text: string): void => {
    lastId += 1;
    const others = failures.get().filter((failure) => failure.text !== text);
    failures.replace([...others, { id: lastId, text }].slice(-longestShown));
  },
  /** Call it when an action has succeeded. Removes failures that start with this text. */
  settle: (prefix: string): void => {
    const isOther = ({ text }: Failure) => text !== prefix && !text.startsWith(`${prefix}: `);
    failures.replace(failures.get().filter(isOther));
  },
};

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
  const shown = useStore(failures, (all) => all);
  return (
    <div role="alert" aria-live="assertive" className="toaster z-80! bottom-20!">
      {shown.map((failure) => (
        <FailureNotice key={failure.id} {...failure} />
      ))}
    </div>
  );
}

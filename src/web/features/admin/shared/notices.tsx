import { XIcon } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { MessageStack, toast } from "#web/components/ui/toast.tsx";
import { createStore, useStore } from "#web/lib/store.ts";

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
    const id = lastId;
    const others = failures.get().filter((failure) => failure.text !== text);
    failures.replace([...others, { id, text }].slice(-longestShown));
    setTimeout(() => dismiss(id), failureShownMs);
  },
  /** Call it when an action has succeeded. Removes failures that start with this text. */
  settle: (prefix: string): void => {
    const isOther = ({ text }: Failure) => text !== prefix && !text.startsWith(`${prefix}: `);
    failures.replace(failures.get().filter(isOther));
  },
};

/** Bars that stay at the bottom of the screen. Messages appear above them. */
const barSelector = "[data-end-bar]";
const gapPx = 12;
/** Distance from the bottom without bars. */
const startPx = 20;

/**
 * Moves messages above the bars that they would cover, or to the top if there is no space below the
 * middle of the screen.
 */
function clearBars(stack: HTMLElement): void {
  const { left, right } = stack.firstElementChild?.getBoundingClientRect() ?? { left: 0, right: 0 };
  const bars = Array.from(document.querySelectorAll(barSelector), (bar) =>
    bar.getBoundingClientRect(),
  ).filter((bar) => bar.height > 0 && bar.left < right && bar.right > left);
  const screenPx = window.innerHeight;
  let bottomPx = startPx;
  for (const bar of bars.toSorted((a, b) => b.bottom - a.bottom)) {
    const isCovered =
      bar.bottom > screenPx - bottomPx - stack.offsetHeight && bar.top < screenPx - bottomPx;
    if (isCovered) bottomPx = screenPx - bar.top + gapPx;
  }
  stack.style.bottom = `${bottomPx}px`;
  stack.toggleAttribute("data-full", bottomPx > screenPx / 2);
}

function FailureNotice({ id, text }: Failure) {
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
  const stack = useRef<HTMLDivElement>(null);
  const isShown = shown.length > 0;
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    // Bars appear, grow and stick while failures are shown.
    let frame = 0;
    const follow = () => {
      if (stack.current?.matches(".toaster") === true) clearBars(stack.current);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [isShown]);
  return (
    <MessageStack ref={stack} role="alert">
      {shown.map((failure) => (
        <FailureNotice key={failure.id} {...failure} />
      ))}
    </MessageStack>
  );
}

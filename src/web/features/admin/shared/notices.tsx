import { XIcon } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { MessageStack, toast, useIsInDialog } from "#web/components/ui/toast.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { createStore, useStore } from "#web/lib/store.ts";

interface Notice {
  id: number;
  text: string;
  /** Button of a success. Failures have none. */
  action?: NoticeAction;
}

interface NoticeAction {
  label: string;
  /** Asked before the button, and left out with it. */
  question?: string;
  run: () => void;
  /** Called when the notice disappears without a press of the button. */
  onGone?: () => void;
}

const longestShown = 3;
/** Milliseconds until a notice disappears, unless the user dismisses it earlier. */
const shownMs = 15_000;

const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

const remove = (id: number) => notices.replace(notices.get().filter((notice) => notice.id !== id));

function dismiss(id: number): void {
  const notice = notices.get().find((each) => each.id === id);
  remove(id);
  notice?.action?.onGone?.();
}

/** @returns a function that removes the notice, without a call of `onGone`. */
function add(notice: Omit<Notice, "id">): () => void {
  lastId += 1;
  const id = lastId;
  const others = notices.get().filter(({ text }) => text !== notice.text);
  notices.replace([...others, { id, ...notice }].slice(-longestShown));
  setTimeout(() => dismiss(id), shownMs);
  return () => remove(id);
}

/** Shows alerts. Failures, and successes with an action, stay longer than other successes. */
export const notify = {
  success: (text: string): void => toast.success(text),
  /**
   * Shows a success with a button.
   * @returns a function that removes it.
   */
  offer: (text: string, action: NoticeAction): (() => void) => add({ text, action }),
  failure: (text: string): void => void add({ text }),
  /** Call it when an action has succeeded. Removes failures that start with this text. */
  settle: (prefix: string): void => {
    const isOther = ({ text, action }: Notice) =>
      action !== undefined || (text !== prefix && !text.startsWith(`${prefix}: `));
    notices.replace(notices.get().filter(isOther));
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

const noticeButton = "flex h-8 shrink-0 items-center justify-center rounded-md hover:bg-black/20";

function NoticeBar({ id, text, action }: Notice) {
  // In a dialog, a button would compete with the dialog's own.
  const offered = useIsInDialog() ? undefined : action;
  return (
    <div
      className={classNames(
        "toast pointer-events-auto flex items-start gap-2 py-2! pe-2! text-white",
        action === undefined ? "bg-danger" : "bg-done",
      )}
    >
      <p className="min-w-0 flex-1 py-1.5 break-words">
        {offered?.question === undefined ? text : `${text} ${offered.question}`}
      </p>
      {offered === undefined ? null : (
        <button
          type="button"
          className={`${noticeButton} px-2 font-semibold underline`}
          onClick={() => {
            remove(id);
            offered.run();
          }}
        >
          {offered.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className={`${noticeButton} w-8`}
        onClick={({ currentTarget }) => {
          currentTarget.closest<HTMLElement>("[role=alertdialog], [role=dialog]")?.focus();
          dismiss(id);
        }}
      >
        <XIcon className="size-4" />
      </button>
    </div>
  );
}

/** Shows notices. Screen readers announce them because the live region exists from the start. */
export function NoticeHost() {
  const shown = useStore(notices, (all) => all);
  const stack = useRef<HTMLDivElement>(null);
  const isShown = shown.length > 0;
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    // Bars appear, grow and stick while notices are shown.
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
      {shown.map((notice) => (
        <NoticeBar key={notice.id} {...notice} />
      ))}
    </MessageStack>
  );
}

import { TicketIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pageLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useStore } from "#web/lib/store.ts";
import { passEnd } from "./pass-end.ts";

const messages = inLanguage("members");

/**
 * Shows when this browser's pass ends, with a button that signs the device out: in a menu of the
 * wide bar, or as entries of the small menu.
 */
export function MemberLink() {
  const atMs = useStore(passEnd, (state) => state.atMs);
  const details = useClosingDetails();
  if (atMs === null) return null;
  const label = messages.until(dayOf(atMs));
  return (
    <>
      <div className="lg:hidden">
        <PassForm label={label} className="flex flex-wrap items-center gap-1" />
      </div>
      <details ref={details} className="relative max-lg:hidden">
        <summary
          aria-label={label}
          title={label}
          className={`${buttonClass({ kind: "ghost", isSquare: true })} list-none text-lamp-text!`}
        >
          <TicketIcon className="size-5" />
        </summary>
        <div className="popup absolute end-0 top-full z-50 mt-1.5 w-max p-1.5">
          <PassForm label={label} className="grid justify-items-start" />
        </div>
      </details>
    </>
  );
}

function dayOf(atMs: number): string {
  const end = new Date(atMs);
  const isThisYear = end.getFullYear() === new Date().getFullYear();
  return end.toLocaleDateString(
    pageLanguage().code,
    isThisYear ? { day: "numeric", month: "short" } : { dateStyle: "medium" },
  );
}

function PassForm({ label, className }: { label: string; className: string }) {
  const { pathname, search } = useLocation();
  const next = pagePath(pathname + search);
  return (
    <form method="post" action={pagePath("/pass")} className={className}>
      <a href={pagePath(`/pass?next=${encodeURIComponent(next)}`)} className={link}>
        {label}
      </a>
      <input type="hidden" name="next" value={next} />
      <button name="do" value="leave" className={link}>
        {messages.leave}
      </button>
    </form>
  );
}

const link = buttonClass({ kind: "ghost" });

/** Closes a menu by Escape, and by a press or focus outside of it. */
function useClosingDetails() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && details.current?.contains(target) === false) {
        details.current.open = false;
      }
    };
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || details.current?.open !== true) return;
      event.preventDefault();
      details.current.open = false;
      details.current.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", close);
    };
  }, []);
  return details;
}

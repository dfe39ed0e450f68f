import { useState, type ReactNode } from "react";
import { ChevronDownIcon } from "lucide-react";

/** Returns the id of a section's heading, for links to it. */
export const sectionId = (title: string): string =>
  `section-${title.toLowerCase().replace(/\W+/g, "-")}`;

/** Section of a settings page with a heading. */
export function Section({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  const id = sectionId(title);
  return (
    <section aria-labelledby={id} className="grid gap-4 border-t border-line pt-5">
      <div>
        <h2 id={id} className="scroll-mt-20 font-semibold">
          {title}
        </h2>
        {hint === undefined ? null : <p className="mt-0.5 text-ink-11">{hint}</p>}
      </div>
      {children}
    </section>
  );
}

/** Heading that expands rarely needed fields. They never collapse by themselves. */
export function Disclosure({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  const [isOpened, setOpened] = useState(isOpen);
  if (isOpen && !isOpened) setOpened(true);
  return (
    <details open={isOpened || undefined} className="group rounded-md border border-line px-4 py-1">
      <summary className="flex min-h-11 items-center justify-between gap-3 font-medium">
        {title}
        <ChevronDownIcon
          aria-hidden="true"
          className="size-4 transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="pt-1 pb-4">{children}</div>
    </details>
  );
}

import type { ReactNode } from "react";

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

import type { ReactNode } from "react";

/** Part of the dashboard with a title. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="rounded-lg bg-ink-2 p-4">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside === undefined ? null : <div className="text-ink-11">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

import type { ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { Skeleton } from "#web/components/ui/states.tsx";

/** Title, subtitle, and actions on the right. */
export function PageHeader({
  title,
  note,
  children,
}: {
  title: string;
  /** Null while unknown. The space is reserved. */
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-lg font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {note === undefined ? null : note === null ? (
          <Skeleton className="mt-1 h-4 w-28" />
        ) : (
          <p className="tabular mt-0.5 wrap-anywhere text-ink-11">{note}</p>
        )}
      </div>
      {children === undefined ? null : <div className="flex flex-wrap gap-2">{children}</div>}
    </header>
  );
}

/**
 * Returns the count to show below a page title. Null while the list loads, empty after a failure.
 * @param text formats the count.
 */
export function countNote<T>(
  { data, isError }: UseQueryResult<T>,
  text: (data: T) => string,
): string | null | undefined {
  if (isError) return undefined;
  return data === undefined ? null : text(data);
}

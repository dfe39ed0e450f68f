import { createContext, useCallback, useContext, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton, ErrorState } from "#web/components/ui/states.tsx";
import { can, type Action } from "#contract/accounts/policy.ts";
import { pageHandle, type PageModule, type PageHandle } from "#web/lib/page/page-route.ts";
import type { User } from "#contract/accounts/auth.ts";

/**
 * Returns the handle of an admin page. Search engines must not index it, and the server renders
 * nothing of it but its frame.
 */
export function adminHandle(title: string): PageHandle {
  return pageHandle({
    query: [],
    head: ({ site }) => ({
      title: `${title} · ${site.name}`,
      meta: [{ name: "robots", content: "noindex" }],
    }),
  });
}

export const menuGroups = ["Content", "Advertising", "Community", "Site", "System"] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** Page of the back office: its route, its name and its place in the side menu. */
export interface AdminPage {
  href: string;
  /** Path, relative to `src/web/features`, of the module that `load` imports. */
  file: string;
  load: () => Promise<PageModule>;
  /** Absent for pages about a single item, because only the list of items links to them. */
  label?: string;
  Icon?: LucideIcon;
  /** Permission required to open the page. Every user may open a page without one. */
  needs?: Action;
  /** Group in the side menu. Other pages link to pages without a group. */
  group?: MenuGroup;
  /**
   * True if it belongs to the last entry above it that isn't nested. The menu shows it while that
   * entry, or a page below it, is open.
   */
  isNested?: boolean;
}

export interface NamedPage extends AdminPage {
  label: string;
  Icon: LucideIcon;
}

export const hasName = (page: AdminPage): page is NamedPage =>
  page.label !== undefined && page.Icon !== undefined;

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
  { data, isLoadingError }: UseQueryResult<T>,
  text: (data: T) => string,
): string | null | undefined {
  if (isLoadingError) return undefined;
  return data === undefined ? null : text(data);
}

/** Banner for a failure, with a button, above content that stays. */
export function FailureBar({
  children,
  action,
  onAction,
  isBusy = false,
}: {
  children: ReactNode;
  action: string;
  onAction: () => void;
  isBusy?: boolean;
}) {
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-soft px-4 py-2 text-danger-text"
    >
      {children}
      <Button size="small" kind="ghost" onClick={onAction} disabled={isBusy}>
        {action}
      </Button>
    </div>
  );
}

/**
 * Message about a failed load, with a button to try again. A banner if the page still shows the data
 * of an earlier load.
 */
export function QueryError({
  message,
  query: { data, refetch, isFetching },
  className,
}: {
  message: string;
  query: { data?: unknown; refetch: () => Promise<unknown>; isFetching: boolean };
  className?: string;
}) {
  const retry = () => void refetch();
  if (data !== undefined) {
    return (
      <FailureBar action="Try Again" onAction={retry} isBusy={isFetching}>
        {message}
      </FailureBar>
    );
  }
  return (
    <ErrorState
      message={message}
      retryLabel="Try Again"
      onRetry={retry}
      isBusy={isFetching}
      className={className}
    />
  );
}

/** Signed-in user of the back office. */
export const AdminUser = createContext<User | null>(null);

export type Can = (action: Action) => boolean;

/**
 * Returns a function that tells whether the policy allows the user an action. Use it for display
 * only, because the server decides.
 */
export function useCan(): Can {
  const user = useContext(AdminUser);
  return useCallback((action) => user !== null && can(user.role, action), [user]);
}

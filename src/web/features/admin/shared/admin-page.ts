import type { LucideIcon } from "lucide-react";
import type { Action } from "#contract/accounts/policy.ts";
import { pageHandle, type PageModule, type PageHandle } from "#web/lib/page/page-route.ts";

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
  /** True if it is shown below the previous entry and belongs to it. */
  isNested?: boolean;
}

export interface NamedPage extends AdminPage {
  label: string;
  Icon: LucideIcon;
}

export const hasName = (page: AdminPage): page is NamedPage =>
  page.label !== undefined && page.Icon !== undefined;

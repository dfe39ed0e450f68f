import type { LucideIcon } from "lucide-react";
import type { Action } from "#contract/accounts/policy.ts";
import type { PageModule } from "#web/lib/page/page-route.ts";

export const menuGroups = ["Content", "Advertising", "Community", "Site", "System"] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** Page of the back office: its route, its name and its place in the side menu. */
export interface AdminPage {
  href: string;
  /** Path of the module from `src/web`, the same that `load` imports. */
  file: string;
  load: () => Promise<PageModule>;
  /** Pages about a single item have no name, because only the list of items links to them. */
  label?: string;
  Icon?: LucideIcon;
  /** Permission required to open the page. Every user may open a page without one. */
  needs?: Action;
  /** Group of the side menu. Pages without one are reached from another page. */
  group?: MenuGroup;
  /** Shown below the previous entry, to which it belongs. */
  isNested?: boolean;
}

export interface NamedPage extends AdminPage {
  label: string;
  Icon: LucideIcon;
}

export const hasName = (page: AdminPage): page is NamedPage =>
  page.label !== undefined && page.Icon !== undefined;

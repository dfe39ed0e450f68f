import {
  CaptionsIcon,
  CircleUserIcon,
  ClipboardListIcon,
  FileSpreadsheetIcon,
  FileTextIcon,
  FilmIcon,
  FlagIcon,
  FolderIcon,
  HardDriveIcon,
  HeartPulseIcon,
  LayoutDashboardIcon,
  LinkIcon,
  MessageSquareIcon,
  SettingsIcon,
  ShieldIcon,
  TagsIcon,
  TicketIcon,
  Trash2Icon,
  UserCogIcon,
  UsersIcon,
  WebhookIcon,
} from "lucide-react";
import type { RouteObject } from "react-router";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { ReportKind } from "#contract/visitors/reports.ts";
import { adPages, partnerPages } from "#ads/admin/ad-pages.ts";
import { page } from "#web/lib/page/page-route.ts";
import { hasName, type AdminPage, type NamedPage } from "./shared/admin-page.tsx";

/** Every user can open this page through the top bar. */
export const accountPage: NamedPage = {
  href: "/admin/account",
  label: "Your account",
  Icon: CircleUserIcon,
  file: "admin/account/page.tsx",
  load: () => import("./account/page.tsx"),
};

const loadLabelPage = async (kind: LabelKind) =>
  (await import("./labels/label-page.tsx")).labelPage(kind);

const loadReportPage = async (kind?: ReportKind) =>
  (await import("./reports/report-queue.tsx")).reportPage(kind);

/**
 * All pages of the back office, in the order of the side menu. The routes, the menu, the command
 * palette and the tests that visit every page use this table.
 */
export const adminPages: readonly AdminPage[] = [
  {
    href: "/admin",
    label: "Dashboard",
    group: "Content",
    Icon: LayoutDashboardIcon,
    needs: "statistics.read",
    file: "admin/dashboard/page.tsx",
    load: () => import("./dashboard/page.tsx"),
  },
  {
    href: "/admin/videos",
    label: "Videos",
    group: "Content",
    Icon: FilmIcon,
    needs: "content.read",
    file: "admin/videos/page.tsx",
    load: () => import("./videos/page.tsx"),
  },
  {
    href: "/admin/videos/:id",
    file: "admin/videos/details/page.tsx",
    load: () => import("./videos/details/page.tsx"),
  },
  {
    href: "/admin/videos/:id/cut",
    file: "admin/videos/cut/page.tsx",
    load: () => import("./videos/cut/page.tsx"),
  },
  {
    href: "/admin/videos/:id/clips",
    file: "admin/videos/clips/page.tsx",
    load: () => import("./videos/clips/page.tsx"),
  },
  {
    href: "/admin/trash",
    label: "Trash",
    group: "Content",
    isNested: true,
    Icon: Trash2Icon,
    needs: "content.remove",
    file: "admin/trash/page.tsx",
    load: () => import("./trash/page.tsx"),
  },
  {
    href: "/admin/categories",
    label: "Categories",
    group: "Content",
    Icon: FolderIcon,
    needs: "content.edit",
    file: "admin/labels/label-page.tsx",
    load: () => loadLabelPage("categories"),
  },
  {
    href: "/admin/tags",
    label: "Tags",
    group: "Content",
    Icon: TagsIcon,
    needs: "content.edit",
    file: "admin/labels/label-page.tsx",
    load: () => loadLabelPage("tags"),
  },
  {
    href: "/admin/actors",
    label: "Actors",
    group: "Content",
    Icon: UsersIcon,
    needs: "content.edit",
    file: "admin/labels/label-page.tsx",
    load: () => loadLabelPage("actors"),
  },
  ...adPages,
  {
    href: "/admin/referrals",
    label: "Referrals",
    group: "Advertising",
    Icon: LinkIcon,
    needs: "referrals.read",
    file: "admin/referrals/page.tsx",
    load: () => import("./referrals/page.tsx"),
  },
  {
    href: "/admin/reports",
    label: "Reports",
    group: "Community",
    Icon: FlagIcon,
    needs: "reports.read",
    file: "admin/reports/report-queue.tsx",
    load: () => loadReportPage(),
  },
  {
    href: "/admin/comments",
    label: "Comments",
    group: "Community",
    Icon: MessageSquareIcon,
    needs: "reports.read",
    file: "admin/reports/report-queue.tsx",
    load: () => loadReportPage("comment"),
  },
  {
    href: "/admin/members",
    label: "Members",
    group: "Community",
    Icon: TicketIcon,
    needs: "passes.edit",
    file: "admin/members/page.tsx",
    load: () => import("./members/page.tsx"),
  },
  {
    href: "/admin/people",
    label: "People",
    group: "Community",
    Icon: UserCogIcon,
    needs: "people.manage",
    file: "admin/people/page.tsx",
    load: () => import("./people/page.tsx"),
  },
  {
    href: "/admin/settings",
    label: "Settings",
    group: "Site",
    Icon: SettingsIcon,
    needs: "settings.edit",
    file: "admin/settings/page.tsx",
    load: () => import("./settings/page.tsx"),
  },
  {
    href: "/admin/safety",
    label: "Safety",
    group: "Site",
    isNested: true,
    Icon: ShieldIcon,
    needs: "settings.edit",
    file: "admin/safety/page.tsx",
    load: () => import("./safety/page.tsx"),
  },
  {
    href: "/admin/pages",
    label: "Pages",
    group: "Site",
    isNested: true,
    Icon: FileTextIcon,
    needs: "settings.edit",
    file: "admin/pages/page.tsx",
    load: () => import("./pages/page.tsx"),
  },
  {
    href: "/admin/settings/texts",
    label: "Texts",
    group: "Site",
    isNested: true,
    Icon: CaptionsIcon,
    needs: "settings.edit",
    file: "admin/settings/texts-page.tsx",
    load: () => import("./settings/texts-page.tsx"),
  },
  {
    href: "/admin/import",
    label: "Import and export",
    group: "System",
    Icon: FileSpreadsheetIcon,
    needs: "content.read",
    file: "admin/import-export/page.tsx",
    load: () => import("./import-export/page.tsx"),
  },
  {
    href: "/admin/webhooks",
    label: "Webhooks",
    group: "System",
    Icon: WebhookIcon,
    needs: "webhooks.manage",
    file: "admin/webhooks/page.tsx",
    load: () => import("./webhooks/page.tsx"),
  },
  {
    href: "/admin/storage",
    label: "Storage",
    group: "System",
    Icon: HardDriveIcon,
    needs: "statistics.read",
    file: "admin/storage/page.tsx",
    load: () => import("./storage/page.tsx"),
  },
  {
    href: "/admin/system",
    label: "System check",
    group: "System",
    Icon: HeartPulseIcon,
    needs: "settings.edit",
    file: "admin/system/page.tsx",
    load: () => import("./system/page.tsx"),
  },
  {
    href: "/admin/audit",
    label: "Audit log",
    group: "System",
    Icon: ClipboardListIcon,
    needs: "audit.read",
    file: "admin/audit/page.tsx",
    load: () => import("./audit/page.tsx"),
  },
  accountPage,
];

export const namedPages: readonly NamedPage[] = adminPages.filter(hasName);

/**
 * Returns the named pages at an address and at its parents, outermost first. All are below the
 * dashboard.
 */
function pagesOf(pathname: string): NamedPage[] {
  const path = pathname.replace(/\/+$/, "");
  return namedPages
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .toSorted((a, b) => a.href.length - b.href.length);
}

/** Returns the page at an address, or else the nearest page above it. */
export function adminPageOf(pathname: string): NamedPage {
  const page = pagesOf(pathname).at(-1);
  if (page === undefined) throw new Error(`${pathname} is not in the back office`);
  return page;
}

/** Returns the side-menu entry to highlight for an address. */
export const menuPageOf = (pathname: string): NamedPage =>
  pagesOf(pathname).findLast(({ group, href }) => group !== undefined && href !== "/admin") ??
  adminPageOf(pathname);

const root = "/admin";

/**
 * Routes of the back office. Visitors load none of its code. Each page is loaded when it is opened.
 */
export const adminRoutes: RouteObject[] = [
  page(
    root,
    "admin/shell/admin-frame.tsx",
    () => import("./shell/admin-frame.tsx"),
    adminPages.map(({ href, file, load }) =>
      page(href === root ? null : href.slice(root.length + 1), file, load),
    ),
  ),
  ...partnerPages,
];

import {
  CircleUserIcon,
  ClipboardListIcon,
  FileSpreadsheetIcon,
  FilmIcon,
  FlagIcon,
  FolderIcon,
  HardDriveIcon,
  HeartPulseIcon,
  LayoutDashboardIcon,
  LinkIcon,
  MegaphoneIcon,
  SettingsIcon,
  ShieldIcon,
  TagsIcon,
  TargetIcon,
  Trash2Icon,
  UserCogIcon,
  UsersIcon,
  WebhookIcon,
  type LucideIcon,
} from "lucide-react";
import type { Action } from "#contract/accounts/policy.ts";

interface AdminPage {
  href: string;
  label: string;
  Icon: LucideIcon;
  /** Permission required to open the page. */
  needs: Action;
}

/** Open to every user; the top bar leads to it. */
export const accountPage = { href: "/admin/account", label: "Your account", Icon: CircleUserIcon };

/** The pages of the back office, in the order of the side menu. */
export const adminPages: readonly [AdminPage, ...AdminPage[]] = [
  { href: "/admin", label: "Dashboard", Icon: LayoutDashboardIcon, needs: "statistics.read" },
  { href: "/admin/videos", label: "Videos", Icon: FilmIcon, needs: "content.read" },
  { href: "/admin/trash", label: "Trash", Icon: Trash2Icon, needs: "content.remove" },
  { href: "/admin/categories", label: "Categories", Icon: FolderIcon, needs: "content.edit" },
  { href: "/admin/tags", label: "Tags", Icon: TagsIcon, needs: "content.edit" },
  { href: "/admin/actors", label: "Actors", Icon: UsersIcon, needs: "content.edit" },
  { href: "/admin/ads", label: "Advertisements", Icon: MegaphoneIcon, needs: "ads.read" },
  { href: "/admin/campaigns", label: "Campaigns", Icon: TargetIcon, needs: "ads.read" },
  { href: "/admin/referrals", label: "Referrals", Icon: LinkIcon, needs: "referrals.read" },
  {
    href: "/admin/import",
    label: "Import and export",
    Icon: FileSpreadsheetIcon,
    needs: "content.read",
  },
  { href: "/admin/reports", label: "Reports", Icon: FlagIcon, needs: "reports.read" },
  { href: "/admin/people", label: "People", Icon: UserCogIcon, needs: "people.manage" },
  { href: "/admin/settings", label: "Settings", Icon: SettingsIcon, needs: "settings.edit" },
  { href: "/admin/safety", label: "Safety", Icon: ShieldIcon, needs: "settings.edit" },
  { href: "/admin/webhooks", label: "Webhooks", Icon: WebhookIcon, needs: "webhooks.manage" },
  { href: "/admin/storage", label: "Storage", Icon: HardDriveIcon, needs: "statistics.read" },
  { href: "/admin/system", label: "System check", Icon: HeartPulseIcon, needs: "settings.edit" },
  { href: "/admin/audit", label: "Audit log", Icon: ClipboardListIcon, needs: "audit.read" },
];

/** The page of an address, also for addresses below it. */
export function adminPageOf(pathname: string): AdminPage | typeof accountPage {
  const path = pathname.replace(/\/+$/, "");
  if (path === accountPage.href) return accountPage;
  const found = adminPages
    .toReversed()
    .find(({ href }) => path === href || (href !== "/admin" && path.startsWith(`${href}/`)));
  return found ?? adminPages[0];
}

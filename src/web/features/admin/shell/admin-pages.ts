import {
  ClipboardListIcon,
  FilmIcon,
  FolderIcon,
  LayoutDashboardIcon,
  LinkIcon,
  MegaphoneIcon,
  SettingsIcon,
  TagsIcon,
  UsersIcon,
} from "lucide-react";

/** The pages of the back office, in the order of the side menu. */
export const adminPages = [
  { href: "/admin", label: "Dashboard", Icon: LayoutDashboardIcon },
  { href: "/admin/videos", label: "Videos", Icon: FilmIcon },
  { href: "/admin/categories", label: "Categories", Icon: FolderIcon },
  { href: "/admin/tags", label: "Tags", Icon: TagsIcon },
  { href: "/admin/actors", label: "Actors", Icon: UsersIcon },
  { href: "/admin/ads", label: "Advertisements", Icon: MegaphoneIcon },
  { href: "/admin/referrals", label: "Referrals", Icon: LinkIcon },
  { href: "/admin/settings", label: "Settings", Icon: SettingsIcon },
  { href: "/admin/audit", label: "Audit log", Icon: ClipboardListIcon },
] as const;

/** The page of an address, also for addresses below it. */
export function adminPageOf(pathname: string): (typeof adminPages)[number] {
  const path = pathname.replace(/\/+$/, "");
  const found = adminPages
    .toReversed()
    .find(({ href }) => path === href || (href !== "/admin" && path.startsWith(`${href}/`)));
  return found ?? adminPages[0];
}

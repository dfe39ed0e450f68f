import {
  ExternalLinkIcon,
  LogOutIcon,
  SearchIcon,
  UploadIcon,
  MenuIcon,
  XIcon,
  MonitorIcon,
  MoonIcon,
  SunIcon,
} from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { limits } from "#contract/limits.ts";
import { settingsQuery } from "../settings/calls.ts";
import type { User } from "#contract/accounts/auth.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { SiteMark } from "#web/components/ui/wordmark.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { IconButton } from "../shared/icon-button.tsx";
import { isApple } from "../shared/is-apple.ts";
import { useCan } from "../shared/admin-page.tsx";
import { useUploads } from "../upload/queue-context.tsx";
import { accountPage, adminPageOf } from "../admin-pages.ts";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useState } from "react";
import { SideMenu } from "./side-menu.tsx";
import { setTheme, useTheme, type Theme } from "#web/lib/theme.ts";

const looks: Record<Theme, { label: string; next: Theme; Icon: typeof SunIcon }> = {
  system: { label: "Theme: automatic", next: "dark", Icon: MonitorIcon },
  dark: { label: "Theme: dark", next: "light", Icon: MoonIcon },
  light: { label: "Theme: light", next: "system", Icon: SunIcon },
};

/** Button that cycles through the automatic, dark and light themes. */
function ThemeButton() {
  const { label, next, Icon } = looks[useTheme()];
  return (
    <IconButton Icon={Icon} iconClassName="size-4.5" label={label} onClick={() => setTheme(next)} />
  );
}

/** Logo and name of the site. They follow the settings when those are saved. */
function SiteBrand() {
  const site = useSite();
  const { data: saved } = useQuery({ ...settingsQuery, enabled: false });
  const logoUrl = saved === undefined ? site.settings.logoUrl : saved.logoUrl;
  const name = saved === undefined ? site.name : (saved.siteName ?? limits.defaultSiteName);
  return (
    <>
      <SiteMark logoUrl={logoUrl} className="h-6 max-w-24 shrink-0 object-contain text-lamp-text" />
      <span className="truncate">{name}</span>
    </>
  );
}

/** Side menu on a phone. */
function MenuDrawer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger
        aria-label="Open menu"
        className={buttonClass({ kind: "ghost", isSquare: true })}
      >
        <MenuIcon className="size-5" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="drawer-popup">
          <div className="flex items-center justify-between gap-2 pb-2 ps-3">
            <Base.Title className="flex min-w-0 items-center gap-2 text-base font-semibold">
              <SiteBrand />
            </Base.Title>
            <Base.Close
              aria-label="Close menu"
              className={buttonClass({ kind: "ghost", isSquare: true })}
            >
              <XIcon className="size-5" />
            </Base.Close>
          </div>
          <SideMenu onGo={() => setOpen(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Breadcrumbs() {
  const { pathname } = useLocation();
  const page = adminPageOf(pathname);
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex items-center gap-2 text-ink-11">
        <li className="max-sm:hidden">
          {page.href === "/admin" ? (
            <span aria-current="page" className="font-medium text-ink-12">
              {page.label}
            </span>
          ) : (
            <a
              href="/admin"
              className="inline-flex min-h-small items-center hover:text-ink-12 hover:underline"
            >
              Dashboard
            </a>
          )}
        </li>
        {page.href === "/admin" ? (
          <li className="min-w-0 truncate font-medium text-ink-12 sm:hidden">{page.label}</li>
        ) : (
          <li className="flex min-w-0 items-center gap-2">
            <span aria-hidden="true" className="text-ink-9 max-sm:hidden">
              /
            </span>
            <span aria-current="page" className="truncate font-medium text-ink-12">
              {page.label}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}

export function TopBar({
  user,
  onPalette,
  onSignOut,
}: {
  user: User;
  onPalette: () => void;
  onSignOut: () => void;
}) {
  const uploads = useUploads();
  const can = useCan();
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-3 border-b border-line bg-ink-1/92 px-2 backdrop-blur-md md:px-4">
      <div className="lg:hidden">
        <MenuDrawer />
      </div>
      <a
        href="/admin"
        className="flex w-[12.5rem] items-center gap-2 text-base font-semibold tracking-tight max-lg:hidden"
      >
        <SiteBrand />
      </a>
      <Breadcrumbs />
      <div className="ms-auto flex shrink-0 items-center gap-1">
        <button
          type="button"
          className="flex h-10 items-center gap-2 rounded-md bg-ink-3 px-3 text-ink-11 hover:bg-ink-4 hover:text-ink-12 max-lg:hidden"
          onClick={onPalette}
        >
          <SearchIcon className="size-4" />
          <span className="pe-8">Search</span>
          <kbd className="rounded-[4px] bg-ink-5 px-1.5 text-xs leading-5">
            {isApple() ? "⌘K" : "Ctrl K"}
          </kbd>
        </button>
        <IconButton
          Icon={SearchIcon}
          iconClassName="size-4.5"
          label="Search"
          className="lg:hidden"
          onClick={onPalette}
        />
        {can("content.edit") ? (
          <IconButton
            Icon={UploadIcon}
            iconClassName="size-4.5"
            label="New upload"
            className="max-sm:hidden"
            onClick={() => uploads.setOpen(true)}
          />
        ) : null}
        <ThemeButton />
        <a
          href="/home"
          className={buttonClass({ kind: "ghost", isSquare: true })}
          aria-label="View site"
          title="View site"
        >
          <ExternalLinkIcon aria-hidden="true" className="size-4.5" />
        </a>
        <a
          href={accountPage.href}
          aria-label={`${accountPage.label}, ${user.email}`}
          title={accountPage.label}
          className={classNames(
            buttonClass({ kind: "ghost", isSquare: true }),
            "max-sm:hidden xl:w-auto! xl:px-2!",
          )}
        >
          <accountPage.Icon aria-hidden="true" className="size-4.5 shrink-0" />
          <span className="max-w-48 truncate text-sm font-normal max-xl:hidden">{user.email}</span>
        </a>
        <button
          type="button"
          className={buttonClass({ kind: "ghost", size: "small" })}
          onClick={onSignOut}
        >
          <LogOutIcon aria-hidden="true" className="size-4" />
          <span className="max-sm:sr-only">Sign Out</span>
        </button>
      </div>
    </header>
  );
}

import { BookmarkIcon, MenuIcon, XIcon, MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { SiteMark } from "#web/components/ui/wordmark.tsx";
import { SourceLink } from "#web/components/site/source-link.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { useSite } from "#web/lib/page/site.ts";
import { NavigationSearch } from "./navigation-search.tsx";
import { keyOf } from "#web/lib/key-of.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { hasPass } from "#web/features/members/has-pass.ts";
import { saveUser, useSession, type Session } from "#web/lib/session.ts";
import { setTheme, useTheme, type Theme } from "#web/lib/theme.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";

const messages = inLanguage("layout");

const next: Record<Theme, Theme> = { system: "dark", dark: "light", light: "system" };
const names = {
  system: "themeSystem",
  dark: "themeDark",
  light: "themeLight",
} as const satisfies Record<Theme, string>;

/**
 * Button that cycles through the automatic, dark and light themes. Its label is the current choice.
 */
function ThemeSwitch() {
  const theme = useTheme();
  const Icon = { system: MonitorIcon, dark: MoonIcon, light: SunIcon }[theme];
  const label = messages.theme(messages[names[theme]]);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={buttonClass({ kind: "ghost", isSquare: true })}
      onClick={() => setTheme(next[theme])}
    >
      <Icon className="size-5" />
    </button>
  );
}

/** Loaded by browsers with a pass only. */
const loadMemberLink = async () =>
  (await import("#web/features/members/member-link.tsx")).MemberLink;

/**
 * The server renders Sign In, because the page is the same for every visitor. After hydration, a
 * user with a session gets Admin and Sign Out instead, and a member the end of the pass.
 */
function AccountLinks() {
  const { user, initialized } = useSession();
  const { Lazy: MemberLink } = useLazyComponent(loadMemberLink, initialized && hasPass());
  return (
    <>
      {MemberLink === null ? null : <MemberLink />}
      <UserLinks user={user} />
    </>
  );
}

function UserLinks({ user }: Pick<Session, "user">) {
  const navigate = useNavigate();
  if (user === null) {
    return (
      <a href="/auth/signin" className={buttonClass({ kind: "ghost" })}>
        {messages.signIn}
      </a>
    );
  }
  const leave = async () => {
    try {
      await (await import("#web/lib/session-actions.ts")).signOut();
    } catch (error) {
      console.warn("Signing out failed", error);
      saveUser(null);
    }
    await navigate("/home");
  };
  return (
    <div className="flex items-center gap-1">
      <a href="/admin" className={buttonClass({ kind: "ghost" })}>
        {messages.admin}
      </a>
      <button type="button" className={buttonClass({ kind: "ghost" })} onClick={() => void leave()}>
        {messages.signOut}
      </button>
    </div>
  );
}

const links = [
  { href: "/feed", name: "forYou" },
  { href: "/home", name: "home" },
  { href: "/categories", name: "categories" },
  { href: "/actors", name: "actors" },
  { href: "/tags", name: "tags" },
  { href: "/trending", name: "trending" },
] as const;

/** Only in the small menu, because the wide bar has an icon for it. */
const ownLibrary = { href: "/library", name: "library" } as const;

function isCurrent(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

function SiteName() {
  const site = useSite();
  return (
    <a href={pagePath("/")} className="flex min-w-0 items-center gap-2.5 rounded-sm py-2 pe-2">
      <SiteMark logoUrl={site.settings.logoUrl} className="logo" />
      <bdi className="truncate text-lg font-semibold tracking-tight">{site.name}</bdi>
    </a>
  );
}

function PageLinks({ isStacked }: { isStacked: boolean }) {
  const { settings } = useSite();
  const { pathname, search } = useLocation();
  // The front page without a search is the feed.
  const here = pathname === "/" && search === "" ? "/feed" : pathname;
  return (
    <ul className={isStacked ? "grid" : "flex items-center gap-1"}>
      {[
        ...(isStacked ? [...links, ownLibrary] : links).map(({ href, name }) => ({
          href,
          text: messages[name],
        })),
        ...(settings.menuLinks ?? []),
      ].map(({ href, text }) => (
        <li key={href}>
          <a
            href={pagePath(href)}
            aria-current={isCurrent(here, href) ? "page" : undefined}
            className={classNames("nav-link", isStacked && "w-full")}
          >
            {/* A long title of an own page must leave space for the search. */}
            <bdi className={isStacked ? "min-w-0 wrap-anywhere" : "max-w-40 truncate"}>{text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/**
 * Collapsible menu for small screens. A `details` element works before the scripts have loaded and
 * without them.
 */
function SmallMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  const location = useLocation();
  useEffect(() => {
    if (details.current !== null) details.current.open = false;
  }, [location]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || details.current?.open !== true) return;
      event.preventDefault();
      details.current.open = false;
      details.current.querySelector("summary")?.focus();
    };
    // The menu must not cover the focused element behind it.
    const leave = ({ target }: FocusEvent) => {
      if (target instanceof Node && details.current?.contains(target) === false) {
        details.current.open = false;
      }
    };
    document.addEventListener("keydown", close);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("focusin", leave);
    };
  }, []);
  return (
    <details ref={details} className="group lg:hidden">
      <summary
        aria-label={messages.menu}
        className="flex size-11 list-none items-center justify-center rounded-md text-ink-12 hover:bg-ink-3"
      >
        <MenuIcon className="size-6 group-open:hidden" />
        <XIcon className="hidden size-6 group-open:block" />
      </summary>
      <div className="menu-panel gutter">
        <div className="mb-3 sm:hidden">
          <BoxOfPages id="menu-search" />
        </div>
        <PageLinks isStacked />
        <hr className="my-3 border-line" />
        <div className="-ms-2 flex flex-wrap items-center justify-between gap-2">
          <AccountLinks />
          <SourceLink className="nav-link" />
          <ThemeSwitch />
        </div>
      </div>
    </details>
  );
}

/** Hides the box on the search page, which has its own box that preserves the filters. */
function BoxOfPages({ id }: { id: string }) {
  return useLocation().pathname === "/search" ? null : <NavigationSearch id={id} />;
}

const editable = "input, textarea, select, [contenteditable], dialog, [role]";

/** Moves the focus to the search box of the bar or the search page when "/" is pressed. */
function useSearchKey(): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const box = document.querySelector<HTMLElement>("#bar-search, main [role=search] input");
      if (keyOf(event) !== "/" || event.ctrlKey || event.metaKey || !box?.checkVisibility()) return;
      if (event.target instanceof Element && event.target.closest(editable) !== null) return;
      event.preventDefault();
      box.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
}

function LibraryLink() {
  const { pathname } = useLocation();
  return (
    <a
      href={pagePath("/library")}
      aria-label={messages.library}
      aria-current={/^\/(library|favorites)$/.test(pathname) ? "page" : undefined}
      title={messages.library}
      className={classNames(
        buttonClass({ kind: "ghost", isSquare: true }),
        "aria-[current]:text-lamp-text!",
      )}
    >
      <BookmarkIcon className="size-5" />
    </a>
  );
}

export function NavigationBar({ isImmersive }: { isImmersive: boolean }) {
  useSearchKey();
  return (
    <header
      className={classNames(
        "sticky top-0 z-40 h-(--bar-height) border-b border-line bg-ink-1",
        isImmersive && "max-md:hidden",
      )}
    >
      <nav
        aria-label={messages.mainNavigation}
        className="mx-auto flex h-full max-w-page items-center gap-4 gutter"
      >
        <SiteName />
        <div className="hidden lg:block">
          <PageLinks isStacked={false} />
        </div>
        {/* Takes what is left, so that the name of the site isn't cut for it. */}
        <div className="ms-auto hidden max-w-sm min-w-28 flex-1 sm:block">
          <BoxOfPages id="bar-search" />
        </div>
        {/* Phones have the bottom bar. */}
        <div className="hidden items-center gap-1 md:flex">
          <LibraryLink />
          <div className="hidden lg:contents">
            <ThemeSwitch />
            <AccountLinks />
          </div>
        </div>
        <div className="max-sm:ms-auto lg:hidden">
          <SmallMenu />
        </div>
      </nav>
    </header>
  );
}

import { Outlet, useLocation, useMatches } from "react-router";
import { AdSlot, AllowsTrustedAds } from "#ads/web/ad-slot.tsx";
import { isPageHandle, unknownAddressId, type PageLayout } from "#web/lib/page/page-route.ts";
import { NavigationBar } from "./navigation-bar.tsx";
import { ClapperboardIcon, HeartIcon, SearchIcon } from "lucide-react";
import { classNames } from "#web/components/ui/class-names.ts";
import {
  hasLanguage,
  inLanguage,
  pageLanguage,
  pagePath,
} from "#web/lib/language/page-language.ts";
import { useEffect, useState } from "react";
import { asksConsent, useSite } from "#web/lib/page/site.ts";
import { holdScroll } from "#web/lib/lists/scroll-memory.ts";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { useNextPath } from "#web/lib/page/location.ts";
import { SourceLink } from "#web/components/site/source-link.tsx";
import { languages, prefixOf, withPrefix } from "#contract/site/languages.ts";
import { languageKey, writeStored } from "#web/lib/device-storage.ts";

const messages = inLanguage("layout");
const siteMessages = inLanguage("site");

/** Links to this page in every language. */
function LanguageLinks() {
  const { pathname, search } = useLocation();
  const { language } = useSite().settings;
  const current = pageLanguage().code;
  // All unknown URLs share one page, so it must not depend on the URL.
  const isUnknown = useMatches().some(({ id }) => id === unknownAddressId);
  if (!isUnknown && !hasLanguage(pathname)) return null;
  const page = isUnknown ? "/home" : pathname + search;
  return (
    <nav aria-label={messages.languages} className="mx-auto max-w-page gutter pb-6 text-sm">
      <ul className="flex flex-wrap gap-x-5 text-ink-11">
        {languages.map(({ code, name }) => (
          <li key={code}>
            <a
              href={withPrefix(prefixOf(code, language), page)}
              hrefLang={code}
              lang={code}
              aria-current={code === current ? "true" : undefined}
              className="footer-link"
              // Overrides the language of the browser from now on.
              onClick={() => writeStored(languageKey, code)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const links = [
  { href: "/home", name: "home" },
  { href: "/categories", name: "categories" },
  { href: "/actors", name: "actors" },
  { href: "/tags", name: "tags" },
  { href: "/trending", name: "trending" },
  { href: "/favorites", name: "favorites" },
  { href: "/library", name: "library" },
  { href: "/feed.rss", name: "rss" },
] as const;

/**
 * Pages with texts by the operator. The privacy page always exists, because it lists the stored
 * data.
 */
const ownPages = ["terms", "privacy", "contact"] as const;

function SiteFooter() {
  const site = useSite();
  return (
    <footer className="mt-16 border-t border-line pb-(--over-end)">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-2 gutter py-6 text-sm text-ink-11">
        <p className="font-medium text-ink-12">
          <bdi>{site.name}</bdi>
        </p>
        <nav aria-label={messages.footer}>
          <ul className="flex flex-wrap gap-x-5">
            {[
              ...links.map(({ href, name }) => ({ href, text: messages[name] })),
              ...ownPages
                .filter((name) => name === "privacy" || site.settings.pages.includes(name))
                .map((name) => ({ href: `/${name}`, text: siteMessages[name] })),
              ...(site.settings.footerLinks ?? []),
              ...(asksConsent(site) ? [{ href: "/privacy#consent", text: messages.consent }] : []),
              { href: "/takedown", text: messages.takedown },
              ...(site.settings.takedownLog
                ? [{ href: "/removals", text: messages.removals }]
                : []),
            ].map(({ href, text }) => (
              <li key={href}>
                <a href={pagePath(href)} className="footer-link">
                  {text}
                </a>
              </li>
            ))}
            <li>
              <SourceLink className="footer-link" />
            </li>
          </ul>
        </nav>
      </div>
      <LanguageLinks />
    </footer>
  );
}

/**
 * Milliseconds before a skeleton is shown. Faster pages replace the current one without a skeleton.
 */
const skeletonDelayMs = 250;

/** Returns the path of the page that has been loading for longer than the delay, or null. */
function usePendingPath(): string | null {
  const { pathname } = useLocation();
  const target = useNextPath();
  const pending = target === pathname ? null : target;
  const [shown, setShown] = useState<string | null>(null);

  useEffect(() => {
    if (pending === null) {
      setShown(null);
      return;
    }
    const timer = setTimeout(() => {
      holdScroll(true);
      setShown(pending);
      window.scrollTo(0, 0);
    }, skeletonDelayMs);
    return () => {
      clearTimeout(timer);
      holdScroll(false);
    };
  }, [pending]);

  return pending === null ? null : shown;
}

const loadOutline = () => import("./page-outlines.tsx").then((module) => module.PageOutline);

/** Skeleton of the page that is loading. Its script is only fetched when it is needed. */
function PendingPage({ pathname }: { pathname: string }) {
  const { Lazy: Outline } = useLazyComponent(loadOutline, true);
  return Outline === null ? null : <Outline pathname={pathname} />;
}

const loadBanner = () =>
  import("#web/features/consent/consent-banner.tsx").then((module) => module.ConsentBanner);

/**
 * Loads the question only if consent is needed. Pages are the same for everyone. If it can't be
 * loaded, no consent is needed, because these ads aren't loaded.
 */
function ConsentQuestion() {
  const site = useSite();
  const isAsked = useIsHydrated() && asksConsent(site) && !document.cookie.includes("consent=");
  const { Lazy: Banner } = useLazyComponent(loadBanner, isAsked);
  return Banner === null ? null : <Banner />;
}

const tabs = [
  { href: "/feed", name: "forYou", Icon: ClapperboardIcon },
  { href: "/search", name: "search", Icon: SearchIcon },
  { href: "/favorites", name: "favorites", Icon: HeartIcon },
] as const;

/** Returns the page whose tab is highlighted. Favorites counts as part of the library. */
function tabOf(pathname: string, search: string): string {
  if (pathname === "/" && search === "") return "/feed";
  return pathname === "/library" ? "/favorites" : pathname;
}

/**
 * Bar with three tabs on phones, hidden on medium screens and up. Admin pages don't render it.
 * Below the feed, it is dark in both themes, like the video.
 */
function BottomBar({ isImmersive }: { isImmersive: boolean }) {
  const { pathname, search } = useLocation();
  const shown = tabOf(pathname, search);
  return (
    <>
      <div className="h-(--bottom-bar-height) md:hidden" />
      <nav
        aria-label={messages.tabs}
        className={classNames(
          "fixed inset-x-0 bottom-0 z-40 h-(--bottom-bar-height) border-t pb-[env(safe-area-inset-bottom)] md:hidden",
          isImmersive ? "border-white/10 bg-video" : "border-line bg-ink-1",
        )}
      >
        <ul className="grid h-full grid-cols-3">
          {tabs.map(({ href, name, Icon }) => (
            <li key={href}>
              <a
                href={pagePath(href)}
                aria-current={shown === href || shown.startsWith(`${href}/`) ? "page" : undefined}
                className={classNames(
                  "flex h-full flex-col items-center justify-center gap-1 text-xs font-medium",
                  isImmersive
                    ? "text-paper/75 focus-visible:outline-lamp aria-[current=page]:text-paper aria-[current=page]:[&>svg]:text-lamp"
                    : "text-ink-11 aria-[current=page]:text-lamp-text",
                )}
              >
                <Icon className="size-5.5" />
                {messages[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** Returns whether popups and trusted ads are allowed. Missing pages have neither. */
function useAdRules(): { allowsPopups: boolean; allowsTrusted: boolean } {
  const page = useMatches().at(-1);
  const isMissing = page === undefined || page.id === unknownAddressId;
  if (isMissing || !isPageHandle(page.handle)) {
    return { allowsPopups: !isMissing, allowsTrusted: false };
  }
  const { hasPopups = true, allowsTrustedAds = false, unknownTitle } = page.handle;
  const isFound = unknownTitle === undefined || page.loaderData !== undefined;
  return { allowsPopups: hasPopups && isFound, allowsTrusted: allowsTrustedAds && isFound };
}

function usePageLayout(): PageLayout {
  const handle = useMatches().at(-1)?.handle;
  const location = useLocation();
  if (!isPageHandle(handle)) return "standard";
  return (
    (typeof handle.layout === "function" ? handle.layout(location) : handle.layout) ?? "standard"
  );
}

/**
 * Layout of every page outside the back office, with navigation, content, footer slot and bottom
 * bar.
 */
export function PublicLayout() {
  const layout = usePageLayout();
  const isImmersive = layout === "immersive";
  const pendingPath = usePendingPath();
  const { allowsPopups, allowsTrusted } = useAdRules();
  return (
    <AllowsTrustedAds value={allowsTrusted}>
      <a href="#content" className="skip-link">
        {messages.skipToContent}
      </a>
      <ConsentQuestion />
      <NavigationBar isImmersive={isImmersive} />
      <main
        id="content"
        className={
          isImmersive
            ? undefined
            : "mx-auto min-h-[calc(100dvh-var(--bar-height))] w-full max-w-page gutter"
        }
      >
        {/* The current page stays mounted underneath until the next one has loaded. */}
        {pendingPath === null || isImmersive ? null : <PendingPage pathname={pendingPath} />}
        <div className="contents" hidden={pendingPath !== null && !isImmersive}>
          <Outlet />
        </div>
      </main>
      <AdSlot placement="footer" allowsPopups={allowsPopups} />
      {isImmersive ? null : <SiteFooter />}
      <BottomBar isImmersive={isImmersive} />
    </AllowsTrustedAds>
  );
}

import { ClapperboardIcon, HeartIcon, SearchIcon } from "lucide-react";
import { useLocation } from "react-router";
import { classNames } from "#web/components/ui/class-names.ts";
import { layoutMessages as messages } from "./messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

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
export function BottomBar({ isImmersive }: { isImmersive: boolean }) {
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

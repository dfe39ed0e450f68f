import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { pagePath, inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("libraryTabs");

/** Parts of the library page, by their URL fragment. */
const libraryParts = ["later", "playlists", "history", "follows"] as const;
export type LibraryPart = (typeof libraryParts)[number];

/**
 * Returns the part in the URL fragment. Null for the whole page and on the server, which doesn't
 * get fragments.
 */
export function useLibraryPart(): LibraryPart | null {
  const { hash } = useLocation();
  const isHydrated = useIsHydrated();
  if (!isHydrated) return null;
  return libraryParts.find((part) => hash === `#${part}`) ?? null;
}

/** Links between the favorites and the parts of the library. */
export function LibraryTabs() {
  const { pathname } = useLocation();
  const part = useLibraryPart();
  const current =
    pathname === "/favorites" ? "/favorites" : part === null ? null : `/library#${part}`;
  const active = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    active.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const tabs = [
    { href: "/favorites", text: messages.favorites },
    ...libraryParts.map((name) => ({ href: `/library#${name}`, text: messages[name] })),
  ];
  return (
    <nav
      aria-label={messages.library}
      className="-mx-4 mt-4 no-scrollbar overflow-x-auto border-b border-line px-1 sm:mx-0 sm:px-0"
    >
      <ul className="flex justify-between sm:justify-start sm:gap-1">
        {tabs.map(({ href, text }) => (
          <li key={href} className="shrink-0">
            <a
              ref={href === current ? active : null}
              href={pagePath(href)}
              aria-current={href === current ? "page" : undefined}
              data-active={href === current ? "" : undefined}
              className="tab inline-flex items-center whitespace-nowrap max-sm:px-1.5!"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

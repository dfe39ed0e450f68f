import { SourceLink } from "#web/components/site/source-link.tsx";
import { siteMessages } from "#web/components/site/messages.ts";
import { asksConsent, useSite } from "#web/lib/page/site.ts";
import { LanguageLinks } from "./language-links.tsx";
import { layoutMessages as messages } from "./messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

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

const linkClass = "inline-flex min-h-11 items-center hover:text-ink-12 hover:underline";

export function SiteFooter() {
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
              ...(asksConsent(site) ? [{ href: "/privacy#consent", text: messages.consent }] : []),
              { href: "/takedown", text: messages.takedown },
              ...(site.settings.takedownLog
                ? [{ href: "/removals", text: messages.removals }]
                : []),
            ].map(({ href, text }) => (
              <li key={href}>
                <a href={pagePath(href)} className={linkClass}>
                  {text}
                </a>
              </li>
            ))}
            <li>
              <SourceLink className={linkClass} />
            </li>
          </ul>
        </nav>
      </div>
      <LanguageLinks />
    </footer>
  );
}

import { SourceLink } from "../../components/site/source-link.tsx";
import { asksConsent, useSite } from "../../lib/page/site.ts";
import { layoutMessages as messages } from "./messages.ts";

const links = [
  { href: "/home", label: messages.home },
  { href: "/categories", label: messages.categories },
  { href: "/actors", label: messages.actors },
  { href: "/tags", label: messages.tags },
  { href: "/trending", label: messages.trending },
  { href: "/favorites", label: messages.favorites },
  { href: "/library", label: messages.library },
  { href: "/feed.rss", label: messages.rss },
] as const;

/** The page about privacy says what is stored, with a text of the operator or without. */
const ownPages = ["terms", "privacy", "contact"] as const;

const linkClass = "inline-flex min-h-11 items-center hover:text-ink-12 hover:underline";

export function SiteFooter() {
  const site = useSite();
  return (
    <footer className="mt-16 border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-2 gutter py-6 text-sm text-ink-11">
        <p className="font-medium text-ink-12">{site.name}</p>
        <nav aria-label={messages.footer}>
          <ul className="flex flex-wrap gap-x-5">
            {[
              ...links,
              ...ownPages
                .filter((name) => name === "privacy" || site.settings.pages.includes(name))
                .map((name) => ({ href: `/${name}`, label: messages[name] })),
              ...(asksConsent(site) ? [{ href: "/privacy#consent", label: messages.consent }] : []),
              { href: "/takedown", label: messages.takedown },
              ...(site.settings.takedownLog
                ? [{ href: "/removals", label: messages.removals }]
                : []),
            ].map(({ href, label }) => (
              <li key={href}>
                <a href={href} className={linkClass}>
                  {label}
                </a>
              </li>
            ))}
            <li>
              <SourceLink className={linkClass} />
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}

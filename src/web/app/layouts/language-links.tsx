import { useLocation, useMatches } from "react-router";
import { languages, prefixOf, withPrefix, type Language } from "#contract/site/languages.ts";
import { languageKey } from "#web/lib/device-storage.ts";
import { hasLanguage, pageLanguage } from "#web/lib/language/page-language.ts";
import { unknownAddressId } from "#web/lib/page/page-route.ts";
import { useSite } from "#web/lib/page/site.ts";
import { layoutMessages as messages } from "./messages.ts";

/** Stores the choice, which overrides the language of the browser. */
function remember(code: Language): void {
  try {
    localStorage.setItem(languageKey, code);
  } catch {
    // Storage is disabled, so only the URL determines the language.
  }
}

/** Links to this page in every language. */
export function LanguageLinks() {
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
              className="inline-flex min-h-11 items-center hover:text-ink-12 hover:underline aria-[current]:font-semibold aria-[current]:text-ink-12"
              onClick={() => remember(code)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

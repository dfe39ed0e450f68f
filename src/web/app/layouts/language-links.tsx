import { useLocation, useMatches } from "react-router";
import { languages, prefixOf, withPrefix } from "#contract/site/languages.ts";
import { languageKey, writeStored } from "#web/lib/device-storage.ts";
import { hasLanguage, pageLanguage } from "#web/lib/language/page-language.ts";
import { unknownAddressId } from "#web/lib/page/page-route.ts";
import { useSite } from "#web/lib/page/site.ts";
import { layoutMessages as messages } from "./messages.ts";

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

import type { PageApi } from "#contract/site/page-api.ts";
import { wrapApi } from "#web/lib/api/wrap-api.ts";
import { translated } from "#web/lib/language/translated.ts";

/** Uses the texts in the language of the page and drops all others, which the page doesn't need. */
function inOneLanguage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneLanguage);
  if (!(value instanceof Object)) return value;
  const entries = Object.entries(translated(value));
  return Object.fromEntries(
    entries.flatMap(([key, each]) =>
      key === "translations" ? [] : [[key, inOneLanguage(each)] as const],
    ),
  );
}

/** Returns an API whose titles and descriptions are in the language of the page. */
export const createTranslatedApi = (api: PageApi): PageApi =>
  wrapApi(async (send) => inOneLanguage(await send(api)));

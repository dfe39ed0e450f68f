import { languageCodes } from "#contract/site/languages.ts";
import type { Translations } from "#contract/videos/translations.ts";

/** Returns translations without empty texts, in the order of the languages. */
export function cleanTranslations(given: Translations): Translations {
  const kept: Translations = {};
  for (const code of languageCodes) {
    const { title = "", description = "" } = given[code] ?? {};
    if (title === "" && description === "") continue;
    kept[code] = {
      ...(title === "" ? {} : { title }),
      ...(description === "" ? {} : { description }),
    };
  }
  return kept;
}

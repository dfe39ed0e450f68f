import type { Sort } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const homeMessages = inLanguage("home");

export const sortLabels = inLanguage("sorts") satisfies Record<Sort, string>;

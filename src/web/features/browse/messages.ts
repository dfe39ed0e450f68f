import type { LabelKind } from "#contract/lists/labels.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const browseMessages = inLanguage("browse") satisfies Record<LabelKind, object>;

export const browseTexts = inLanguage("browseParts");

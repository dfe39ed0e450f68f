import type { OwnTexts } from "#contract/site/text-places.ts";
import { replaceTexts } from "#web/lib/language/replace-texts.ts";

/*
 * Provides the operator's texts before any module runs. Only part of pages on sites with custom
 * texts.
 */
const own = JSON.parse(document.currentScript?.dataset["texts"] ?? "{}") as OwnTexts;
globalThis.kinoraOwnTexts = (group, texts) => replaceTexts(texts, own, group);

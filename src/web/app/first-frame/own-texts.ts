import type { OwnTexts } from "#contract/site/text-places.ts";
import { replaceTexts } from "#web/lib/language/replace-texts.ts";

/*
 * Gives modules the operator's own texts before any of them runs. Only loaded on sites with such
 * texts.
 */
const own = JSON.parse(document.currentScript?.dataset["texts"] ?? "{}") as OwnTexts;
globalThis.kinoraOwnTexts = (group, texts) => replaceTexts(texts, own, group);

import type { OwnTexts } from "#contract/site/text-places.ts";
import { replaceTexts } from "#web/lib/language/replace-texts.ts";

/*
 * In pages of sites whose operator replaced texts, ahead of every module: gives the modules those
 * texts. Other sites do not load this.
 */
const own = JSON.parse(document.currentScript?.dataset["texts"] ?? "{}") as OwnTexts;
globalThis.kinoraOwnTexts = (group, texts) => replaceTexts(texts, own, group);

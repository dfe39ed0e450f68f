import type { FailureTexts } from "#web/lib/api/failure-text.ts";
import type { ReasonTexts } from "#web/lib/lists/why-text.ts";
import type { englishTexts } from "./english.ts";

/** Every text that visitors see. A language file has all of them, so that a missing one is a type error. */
export type Catalogue = typeof englishTexts & {
  failures: FailureTexts;
  reasonsOfLists: ReasonTexts;
};

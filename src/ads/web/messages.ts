import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of ads. The specification fixes most of them. */
export const adMessages = inLanguage("ads");

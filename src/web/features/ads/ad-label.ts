import { inLanguage } from "../../lib/language/page-language.ts";

/** The name of every ad. It is part of the first load, the other texts are not. */
export const adLabel = inLanguage("ads", { label: "Advertisement" });

import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of the pages about the site itself. */
export const siteMessages = inLanguage("site", {
  terms: "Terms",
  privacy: "Privacy",
  contact: "Contact",
  source: "Source",
});

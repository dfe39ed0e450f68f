import { inLanguage } from "#web/lib/language/page-language.ts";

export const consentMessages = inLanguage("consent", {
  title: "Ads of other companies",
  text: "Some ads run scripts of other companies in the pages of this site. They may set cookies and read what this browser shows. Without your consent such ads are not loaded; everything else works the same.",
  more: "Privacy",
  accept: "Accept",
  refuse: "Refuse",
  accepted: "You accepted ads of other companies.",
  refused: "You refused ads of other companies.",
  open: "You have not chosen yet. Until then such ads are not loaded.",
});

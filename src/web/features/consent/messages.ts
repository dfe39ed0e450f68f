import { inLanguage } from "#web/lib/language/page-language.ts";

export const consentMessages = inLanguage("consent", {
  title: "Ads from other companies",
  text: "Some ads run scripts from other companies on this site's pages. These scripts may set cookies and read what your browser shows. Without your consent, these ads aren't loaded. Everything else works the same.",
  more: "Privacy",
  accept: "Accept",
  refuse: "Decline",
  accepted: "You accepted ads from other companies.",
  refused: "You declined ads from other companies.",
  open: "You haven't chosen yet. Until you do, these ads aren't loaded.",
});

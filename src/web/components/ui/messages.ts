import { inLanguage } from "#web/lib/language/page-language.ts";

export const uiMessages = inLanguage("ui", {
  close: "Close",
  cancel: "Cancel",
});

import { inLanguage } from "#web/lib/language/page-language.ts";

/** The names of every ad and of its landmark. They are part of the first load, the other texts are not. */
export const adLabel = inLanguage("ads", {
  label: "Advertisement",
  slots: {
    header: "Advertisement at the top",
    sidebar: "Advertisement at the side",
    footer: "Advertisement at the bottom",
  },
});

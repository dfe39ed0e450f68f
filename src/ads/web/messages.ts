import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of ads. The specification fixes most of them. */
export const adMessages = inLanguage("ads", {
  close: "Close advertisement",
  about: "About this advertisement",
  skipIn: (seconds: number) => `Skip in ${seconds}s`,
  skip: "Skip Ad",
  unsupported: "Your browser does not support video ads",
  visit: "Visit site",
  mute: "Mute",
  unmute: "Unmute",
});

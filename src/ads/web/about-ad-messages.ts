import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of the dialog about an ad. */
export const aboutAdMessages = inLanguage("aboutAd", {
  why: "Why this advertisement?",
  reasonEverybody: "It is shown to all visitors. Nothing about you was used to choose it.",
  reasonDevices: (names: string) => `It is for visitors with a ${names}.`,
  devices: { phone: "phone", tablet: "tablet", desktop: "computer" },
  reasonLanguages: (names: string) => `It is for visitors whose browser asks for ${names}.`,
  reasonCategories: (names: string) => `It is shown beside videos about ${names}.`,
  reasonCountries: (names: string) => `It is for visitors in ${names}.`,
  reasonReferral: "It is for visitors who came by a certain link.",
  reasonUnknown: "The reason could not be loaded.",
  stop: "Stop this ad",
  closeAbout: "Close",
});

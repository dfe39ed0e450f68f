import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of the dialog about an ad. */
export const aboutAdMessages = inLanguage("aboutAd", {
  why: "Why this advertisement?",
  reasonEverybody: "This ad is shown to all visitors. It wasn't chosen based on your data.",
  reasonDevices: (names: string) => `This ad targets visitors who use a ${names}.`,
  devices: { phone: "phone", tablet: "tablet", desktop: "computer" },
  reasonLanguages: (names: string) =>
    `This ad targets visitors whose browser language is ${names}.`,
  reasonCategories: (names: string) => `This ad is shown with videos about ${names}.`,
  reasonCountries: (names: string) => `This ad targets visitors in ${names}.`,
  reasonReferral: "This ad targets visitors who followed a specific link.",
  reasonUnknown: "Couldn't load the reason. Try again.",
  stop: "Hide this ad",
  closeAbout: "Close",
});

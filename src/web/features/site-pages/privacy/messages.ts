import { inLanguage } from "#web/lib/language/page-language.ts";

export const privacyMessages = inLanguage("privacy", {
  title: "Privacy",
  intro: "You don't need an account to watch. Here's everything the site stores, and for how long.",
  cookies: "Cookies",
  browser: "In your browser",
  server: "On the server",
  others: "Other companies",
  noOthers: "This site's pages don't load anything from other companies.",
  siteHosts: "This site's videos or images come from:",
  adHosts: "Ads load images, videos or scripts from these hosts and from others they refer to:",
  ads: "Ads are stored on this site and don't load anything from other companies.",
  othersSee: "Their operators can see your IP address and may set their own cookies.",
  trusted: "Some ads run scripts from other companies on this site's pages.",
  keptFor: (time: string) => `Stored: ${time}`,
  forget: "Forget me",
  forgetText:
    "Deletes everything stored under your cookie ID, the cookies themselves, and what this browser stores. Video totals still include your likes and plays, but not who made them. Reports aren't linked to you. To delete one, contact the operator.",
  forgetButton: "Delete my data",
  busy: "Deleting...",
  forgotten: "Everything stored about you has been deleted.",
  failed: "Couldn't delete your data. Try again in a minute.",
});

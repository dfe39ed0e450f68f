import { inLanguage } from "#web/lib/language/page-language.ts";

export const privacyMessages = inLanguage("privacy", {
  title: "Privacy",
  intro: "You need no account to watch. This is all that the site stores, and for how long.",
  cookies: "Cookies",
  browser: "In your browser",
  server: "On the server",
  others: "Other companies",
  noOthers: "Pages of this site load nothing from other companies.",
  siteHosts: "Videos or pictures of this site come from:",
  adHosts: "Ads load pictures, videos or scripts from these hosts, and from those that they name:",
  ads: "Ads of this site are stored here and load nothing from other companies.",
  othersSee: "Their operators see your network address, and may set cookies of their own.",
  trusted: "Some ads run scripts of other companies in the pages of this site.",
  keptFor: (time: string) => `Kept: ${time}`,
  forget: "Forget me",
  forgetText:
    "Deletes everything that is stored under the number of your cookie, the cookies, and what this browser keeps. Likes and plays stay in the totals of videos, without you. Reports are not tied to you: write to the operator about them.",
  forgetButton: "Delete what is stored about me",
  busy: "Deleting...",
  forgotten: "Everything that was stored about you is deleted.",
  failed: "It could not be deleted. Try again in a minute.",
});

import { inLanguage } from "#web/lib/language/page-language.ts";

export const errorMessages = inLanguage("errors", {
  notFoundTitle: "Page not found",
  notFoundText:
    "This page doesn't exist or has moved. Check the address, or search for what you need.",
  failedTitle: "Something went wrong",
  failedText: "We couldn't load this page. Your data is safe. Please try again.",
  offline: "You're offline",
  offlineTitle: "No connection",
  offlineText: "We couldn't reach the site. This page will load when you're back online.",
  outdatedTitle: "New version available",
  outdatedText: "The site was updated while you had this page open. Reload to continue.",
  tryAgain: "Try Again",
  reload: "Reload",
  goHome: "Go to Home",
  search: "Search videos",
});

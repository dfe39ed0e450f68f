import { inLanguage } from "#web/lib/language/page-language.ts";

export const errorMessages = inLanguage("errors", {
  notFoundTitle: "Page not found",
  notFoundText: "There is nothing at this address. It may have moved, or it was never here.",
  failedTitle: "Something went wrong",
  failedText: "This page could not be shown. Nothing of yours is lost; please try again.",
  offline: "You are offline",
  offlineTitle: "No connection",
  offlineText: "The site could not be reached. This page goes on when the connection is back.",
  outdatedTitle: "A newer version is here",
  outdatedText: "The site was updated while this page was open. Reload to continue.",
  tryAgain: "Try Again",
  reload: "Reload",
  goHome: "Go to Home",
  search: "Search videos",
});

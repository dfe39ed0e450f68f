import { inLanguage } from "#web/lib/language/page-language.ts";

/** Data that the site stores, with retention periods. */
export const storedTexts = inLanguage("stored", {
  untilRemoved: "until you remove it",
  untilSignOut: "until you sign out",
  untilClosed: "until you close the tab",
  visitor:
    "A random, signed number. It is set by the first play, like, favorite or ad, and by no page.",
  age: "That you said that you are 18 or older.",
  stoppedAds: "Which ads you do not want to see.",
  consent: "Whether you accept ads of other companies.",
  session:
    "Only if you sign in to the back office: your session, a mark of this browser, and the step between password and code.",
  library: "Your library: history, watch later, playlists and follows.",
  searches: "Your last six searches.",
  resume: "Where you stopped in long videos.",
  player:
    "Volume, speed, captions, size of the player, data saver, and whether the next video plays.",
  offline:
    "Only if you keep videos: the page of your library with its pictures, for when you are offline.",
  wishes: "What you want of the feed. The request for the feed names it; the server keeps no copy.",
  theme: "Dark or light.",
  language: "The language that you chose.",
  closedAds: "Which ads you closed.",
  adBreak: "When you last saw a video ad.",
  user: "Only if you sign in.",
  places: "Where you are in lists and in the feed, and the link that you came by.",
  names: {
    likes: "Likes and favorites",
    plays: "Plays",
    links: "Links",
    ads: "Ads",
    moved: "Moved libraries",
    comments: "Comments",
    reports: "Reports and notices",
    address: "Network address (IP)",
    counts: "Counts",
  },
  likes: "Which videos, and when, under the number of your cookie.",
  likesKept: (days: string) => `until you remove it; those of a removed video for ${days} more`,
  plays:
    "Which video, when, for how long, and what led there (such as a search or another site, not which), under the number of your cookie. Views are counted by it, and the feed follows it unless you switch that off in its menu.",
  links:
    "Which of the site's own links you came by, and on which days, under the number of your cookie.",
  linksKept: "as long as the link exists",
  adCaps: "How often you saw an ad that is limited per visitor, under the number of your cookie.",
  moved:
    "Your library, if you make a code for another device. It is deleted when the code is used.",
  movedKept: (time: string, more: string) => `${time}, at most ${more} more`,
  comments: "Text and name as you write them, under the number of your cookie, which is not shown.",
  commentsKept: "until you or the operator delete them",
  reports: "What you write, tied to no cookie.",
  reportsWithMail:
    "What you write, tied to no cookie. Your email address, if you give it, gets the decision.",
  reportsKept: "until the operator deletes it",
  address:
    "Never stored as it is. A keyed hash of it limits how often something can be done; it changes every day.",
  addressKept: (time: string, ofSignIns: string) => `${time}, of sign-ins ${ofSignIns}`,
  counts: "Totals by hour and day of views, likes, watch time and ads. They name no visitor.",
  countsKept: (months: string) => `${months} and longer`,
});

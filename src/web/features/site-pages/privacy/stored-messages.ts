import { inLanguage } from "#web/lib/language/page-language.ts";

/** Data that the site stores, with retention periods. */
export const storedTexts = inLanguage("stored", {
  untilRemoved: "until you remove it",
  untilSignOut: "until you sign out",
  untilClosed: "until you close the tab",
  visitor:
    "A random, signed ID. It's set when you first play, like or save a video or see an ad, not when you open a page.",
  age: "That you confirmed you're 18 or older.",
  stoppedAds: "Ads you chose to hide.",
  consent: "Whether you accept ads from other companies.",
  session:
    "Only if you sign in to the back office: your session, an ID for this browser, and the step between password and code.",
  library: "Your library: history, watch later, playlists and follows.",
  searches: "Your last six searches.",
  resume: "Where you stopped watching long videos.",
  player: "Volume, speed, captions, player size, data saver and autoplay.",
  offline: "Only if you save videos: your library page and its images, for offline use.",
  wishes:
    "Your feed preferences. They're sent when you load the feed. The server doesn't store them.",
  theme: "Dark or light theme.",
  language: "The language you chose.",
  closedAds: "Ads you closed.",
  adBreak: "When you last saw a video ad.",
  user: "Only if you sign in.",
  places: "Your place in lists and in the feed, and the link you followed to the site.",
  names: {
    likes: "Likes and favorites",
    plays: "Plays",
    links: "Links",
    ads: "Ads",
    moved: "Library transfers",
    comments: "Comments",
    reports: "Reports and notices",
    address: "Network address (IP)",
    counts: "Counts",
  },
  likes: "Which videos and when, under your cookie ID.",
  likesKept: (days: string) => `until you remove it, or ${days} after a video is removed`,
  plays:
    "Which video, when, for how long, and how you found it (such as a search or another site, but not which one), under your cookie ID. Used to count views and, unless you turn it off in the feed's menu, to personalize your feed.",
  links: "Which of the site's referral links you followed and on which days, under your cookie ID.",
  linksKept: "as long as the link exists",
  adCaps: "How often you saw ads that have a limit per visitor, under your cookie ID.",
  moved:
    "Your library, if you create a code for another device. It's deleted when the code is used.",
  movedKept: (time: string, more: string) => `${time}, at most ${more} longer`,
  comments: "The text and name you enter, under your cookie ID, which isn't shown.",
  commentsKept: "until you or the operator delete them",
  reports: "What you write, not linked to a cookie.",
  reportsWithMail:
    "What you write, not linked to a cookie. If you enter your email address, we send you the decision.",
  reportsKept: "until the operator deletes it",
  address:
    "Never stored directly. We use a keyed hash, which changes every day, to limit how often something can be done.",
  addressKept: (time: string, ofSignIns: string) => `${time}, or ${ofSignIns} for sign-ins`,
  counts:
    "Hourly and daily totals of views, likes, watch time and ads. They don't identify visitors.",
  countsKept: (months: string) => `${months} or longer`,
});

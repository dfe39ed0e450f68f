import type { PrivacyFacts } from "../../../../contract/privacy.ts";

/** One thing that this site stores, in the words of the privacy page. */
export interface StoredThing {
  /** As the browser names it; for what is on the server, a short name. */
  name: string;
  what: string;
  kept: string;
}

const year = "1 year";
const untilRemoved = "until you remove it";
const ofTab = "until you close the tab";
const months = (count: number) => (count === 1 ? "1 month" : `${count} months`);
const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

/** Cookies, which go to the server with each request. */
export const listCookies = ({ asksAge, hasAds, hasTrustedAds }: PrivacyFacts): StoredThing[] => [
  {
    name: "visitor",
    what: "A random, signed number. It is set by the first play, like, favorite or ad, and by no page.",
    kept: year,
  },
  ...(asksAge
    ? [{ name: "age", what: "That you said that you are 18 or older.", kept: year }]
    : []),
  ...(hasAds
    ? [{ name: "stopped_spots", what: "Which ads you do not want to see.", kept: "90 days" }]
    : []),
  ...(hasTrustedAds
    ? [{ name: "consent", what: "Whether you accept ads of other companies.", kept: "180 days" }]
    : []),
  {
    name: "session, device, pending",
    what: "Only if you sign in to the back office: your session, a mark of this browser, and the step between password and code.",
    kept: "90 days, 1 year, 10 minutes",
  },
];

/** The storage of the browser, which is not sent with requests. */
export const listKeys = ({ hasAds }: PrivacyFacts): StoredThing[] => [
  {
    name: "kinora.library, kinora.follows",
    what: "Your library: history, watch later, playlists and follows.",
    kept: untilRemoved,
  },
  { name: "kinora.searches", what: "Your last six searches.", kept: untilRemoved },
  { name: "kinora.resume", what: "Where you stopped in long videos.", kept: untilRemoved },
  {
    name: "kinora.player, kinora.data-saver",
    what: "Volume, speed, captions, size of the player, data saver, and whether the next video plays.",
    kept: untilRemoved,
  },
  {
    name: "library-1",
    what: "Only if you keep videos: the page of your library with its pictures, for when you are offline.",
    kept: untilRemoved,
  },
  {
    name: "kinora.feed.wishes",
    what: "What you want of the feed. The request for the feed names it; the server keeps no copy.",
    kept: untilRemoved,
  },
  { name: "theme", what: "Dark or light.", kept: untilRemoved },
  { name: "kinora.language", what: "The language that you chose.", kept: untilRemoved },
  { name: "kinora.data-saver", what: "Whether videos save data.", kept: untilRemoved },
  ...(hasAds
    ? [
        { name: "spots-closed", what: "Which ads you closed.", kept: "half an hour" },
        { name: "spots-break", what: "When you last saw a video ad.", kept: untilRemoved },
      ]
    : []),
  { name: "user, kinora-uploads", what: "Only if you sign in.", kept: "until you sign out" },
  {
    name: "lists, scroll, kinora.feed, referral",
    what: "Where you are in lists and in the feed, and the link that you came by.",
    kept: ofTab,
  },
];

/** The database of the site. */
export const listStored = (facts: PrivacyFacts): StoredThing[] => [
  {
    name: "Likes and favorites",
    what: "Which videos, and when, under the number of your cookie.",
    kept: `${untilRemoved}; those of a removed video for ${days(facts.trashDays)} more`,
  },
  {
    name: "Plays",
    what: "Which video, when, for how long, under the number of your cookie. Views are counted by it, and the feed follows it unless you switch that off in its menu.",
    kept: months(facts.playMonths),
  },
  {
    name: "Links",
    what: "Which of the site's own links you came by, and on which days, under the number of your cookie.",
    kept: "as long as the link exists",
  },
  ...(facts.hasAds
    ? [
        {
          name: "Ads",
          what: "How often you saw an ad that is limited per visitor, under the number of your cookie.",
          kept: "2 days",
        },
      ]
    : []),
  {
    name: "Moved libraries",
    what: "Your library, if you make a code for another device. It is deleted when the code is used.",
    kept: "10 minutes, at most an hour more",
  },
  ...(facts.hasComments
    ? [
        {
          name: "Comments",
          what: "Text and name as you write them, under the number of your cookie, which is not shown.",
          kept: "until you or the operator delete them",
        },
      ]
    : []),
  {
    name: "Reports and notices",
    what: `What you write, tied to no cookie.${facts.sendsMail ? " Your email address, if you give it, gets the decision." : ""}`,
    kept: "until the operator deletes it",
  },
  {
    name: "Network address (IP)",
    what: "Never stored as it is. A keyed hash of it limits how often something can be done; it changes every day.",
    kept: "1 day, of sign-ins 2 days",
  },
  {
    name: "Counts",
    what: "Totals by hour and day of views, likes, watch time and ads. They name no visitor.",
    kept: `${months(facts.playMonths)} and longer`,
  },
];

/** English texts that the server itself shows to visitors. Each language file translates them. */
export const serverTexts = {
  age: {
    title: "Are you 18 or older?",
    text: (site: string) =>
      `${site} shows videos for adults. What you say is kept in a cookie of this browser.`,
    yes: "Yes, I am 18 or older",
    no: "No",
    tooYoungTitle: "Only for adults",
    tooYoungText: (site: string) => `You have to be 18 or older to see ${site}.`,
  },
  blocked: {
    title: "Not available in your country",
    site: "For legal reasons this site cannot be shown where you are.",
    video: "For legal reasons this video cannot be shown where you are.",
  },
  links: {
    about: "About this site",
    terms: "Terms",
    privacy: "Privacy",
    takedown: "Takedown notice",
  },
  rss: {
    newest: "The newest videos",
    newestOf: (label: string) => `The newest videos of ${label}`,
  },
  app: { feed: "For You", search: "Search", favorites: "Favorites" },
  reportMail: {
    subject: (site: string) => `Your report to ${site}`,
    video: (title: string, day: string) => `You reported the video "${title}" on ${day}.`,
    comment: (title: string, day: string) =>
      `You reported a comment on the video "${title}" on ${day}.`,
    dismissed: "We looked at the video and found no reason to remove it.",
    unpublished: "The video is no longer public.",
    removed: "The video is removed.",
    blocked: "The video is removed, and its file cannot be uploaded again.",
    commentDismissed: "We looked at the comment and found no reason to remove it.",
    commentRemoved: "The comment is removed.",
    ask: (site: string) =>
      `This address was given in a report to ${site}. To hear how the report ends, open this link:`,
    ignore: "If it wasn't you, ignore this mail. You won't get another one.",
    askTitle: "Mail about your report",
    confirm: "Send me the decision",
    confirmed: "Confirmed. We write to you when we have decided.",
    expired: "This link no longer works.",
    reference: (id: string) => `Reference: ${id}`,
  },
};

/** Server texts in any language. */
export type ServerTexts = typeof serverTexts;

/** English texts that the server itself shows to visitors. Each language file translates them. */
export const serverTexts = {
  age: {
    title: "Are you 18 or older?",
    text: (site: string) =>
      `${site} shows videos for adults. Your choice is stored in a cookie in this browser.`,
    yes: "Yes, I am 18 or older",
    no: "No",
    tooYoungTitle: "Adults only",
    tooYoungText: (site: string) => `You must be 18 or older to visit ${site}.`,
  },
  blocked: {
    title: "Not available in your country",
    site: "This site isn't available in your location for legal reasons.",
    video: "This video isn't available in your location for legal reasons.",
  },
  links: {
    about: "About this site",
    terms: "Terms",
    privacy: "Privacy",
    takedown: "Takedown notice",
  },
  rss: {
    newest: "Newest videos",
    newestOf: (label: string) => `Newest videos: ${label}`,
  },
  app: { feed: "For You", search: "Search", favorites: "Favorites" },
  reportMail: {
    subject: (site: string) => `Your report to ${site}`,
    video: (title: string, day: string) => `You reported the video "${title}" on ${day}.`,
    comment: (title: string, day: string) =>
      `You reported a comment on the video "${title}" on ${day}.`,
    dismissed: "We reviewed the video and decided not to remove it.",
    unpublished: "The video is no longer public.",
    removed: "We removed the video.",
    blocked: "We removed the video and blocked its file from being uploaded again.",
    commentDismissed: "We reviewed the comment and decided not to remove it.",
    commentRemoved: "We removed the comment.",
    ask: (site: string) =>
      `Someone entered this email address in a report to ${site}. To receive our decision, open this link:`,
    ignore: "If this wasn't you, ignore this email. You won't receive another one.",
    askTitle: "Emails about your report",
    confirm: "Send me the decision",
    confirmed: "Confirmed. We'll email you our decision.",
    expired: "This link no longer works.",
    reference: (id: string) => `Reference: ${id}`,
  },
};

/** Server texts in any language. */
export type ServerTexts = typeof serverTexts;

// Generated from en.json by `npm run texts`.
import type { Plural } from "./message.ts";

/** Texts with values, and counted nouns. All others are strings. */
export interface FilledTexts {
  aboutAd: {
    reasonDevices: (names: string | number) => string;
    reasonLanguages: (names: string | number) => string;
    reasonCategories: (names: string | number) => string;
    reasonCountries: (names: string | number) => string;
  };
  ads: {
    skipIn: (seconds: string | number) => string;
  };
  browse: {
    categories: {
      introOf: (name: string | number) => string;
    };
    tags: {
      introOf: (name: string | number) => string;
    };
    actors: {
      introOf: (name: string | number) => string;
    };
  };
  comments: {
    reportOf: (name: string | number) => string;
  };
  favorites: {
    removeFrom: (title: string | number) => string;
  };
  feed: {
    description: (siteName: string | number) => string;
    likeOf: (likes: string | number) => string;
    linkIs: (title: string | number) => string;
    less: (tag: string | number) => string;
    lessDone: (tag: string | number) => string;
    positionOf: (position: string | number, duration: string | number) => string;
    item: (title: string | number, number: string | number) => string;
    ad: (title: string | number, number: string | number) => string;
  };
  format: {
    views: Plural;
    likes: Plural;
    videos: Plural;
  };
  found: {
    nothingHas: (term: string | number) => string;
  };
  home: {
    removeFilter: (filter: string | number) => string;
    resultsFor: (term: string | number) => string;
    quoted: (term: string | number) => string;
    defaultDescription: (siteName: string | number) => string;
  };
  layout: {
    theme: (name: string | number) => string;
  };
  library: {
    playList: (name: string | number) => string;
    renameList: (name: string | number) => string;
    deleteList: (name: string | number) => string;
    deleteTitle: (name: string | number) => string;
    moveUp: (title: string | number) => string;
    moveDown: (title: string | number) => string;
    unfollow: (name: string | number) => string;
    removeVideo: (title: string | number) => string;
    addedTo: (list: string | number, count: string | number) => string;
    leftOut: (count: string | number) => string;
    fileTooLarge: (size: string | number) => string;
  };
  members: {
    until: (day: string | number) => string;
  };
  player: {
    region: (title: string | number) => string;
    position: (position: string | number, duration: string | number) => string;
    resumed: (position: string | number) => string;
    back: (seconds: string | number) => string;
    forward: (seconds: string | number) => string;
  };
  playlist: {
    place: (place: string | number, count: string | number) => string;
    previous: (title: string | number) => string;
    next: (title: string | number) => string;
  };
  privacy: {
    keptFor: (time: string | number) => string;
  };
  reasonsOfLists: {
    watched: (title: string | number) => string;
    label: (name: string | number) => string;
    viewsSoFar: (views: string | number) => string;
    viewsToday: (views: string | number) => string;
    viewsWeek: (views: string | number) => string;
    viewsMonth: (views: string | number) => string;
    viewsAll: (views: string | number) => string;
    pointsToday: (points: string | number) => string;
    pointsWeek: (points: string | number) => string;
    pointsMonth: (points: string | number) => string;
    pointsAll: (points: string | number) => string;
    sameTag: (name: string | number) => string;
    inLabel: (name: string | number) => string;
    inCategory: (name: string | number) => string;
    spoken: (time: string | number) => string;
  };
  save: {
    added: (name: string | number) => string;
    removed: (name: string | number) => string;
    listFull: (name: string | number) => string;
  };
  search: {
    description: (siteName: string | number) => string;
    suggestionCount: Plural;
    resultsFor: (term: string | number) => string;
  };
  series: {
    part: (part: string | number, total: string | number) => string;
    previous: (title: string | number) => string;
    next: (title: string | number) => string;
    runningTime: (time: string | number) => string;
    seeAll: (name: string | number) => string;
  };
  server: {
    age: {
      text: (site: string | number) => string;
      tooYoungText: (site: string | number) => string;
    };
    rss: {
      newestOf: (label: string | number) => string;
    };
    reportMail: {
      subject: (site: string | number) => string;
      video: (title: string | number, day: string | number) => string;
      comment: (title: string | number, day: string | number) => string;
      ask: (site: string | number) => string;
      reference: (id: string | number) => string;
    };
    pass: {
      validUntil: (time: string | number) => string;
      expired: (time: string | number) => string;
      devices: (count: string | number, max: string | number) => string;
      thisDevice: (name: string | number) => string;
      device: (name: string | number, day: string | number) => string;
      full: (name: string | number) => string;
      replace: (name: string | number) => string;
      mailSubject: (site: string | number) => string;
      mailText: (site: string | number, time: string | number) => string;
      mailCode: (code: string | number) => string;
    };
  };
  share: {
    copyOf: (label: string | number) => string;
    startAt: (position: string | number) => string;
  };
  source: {
    intro: (version: string | number) => string;
  };
  stored: {
    likesKept: (days: string | number) => string;
    playsKept: (months: string | number) => string;
    movedKept: (time: string | number, more: string | number) => string;
    addressKept: (time: string | number, ofSignIns: string | number) => string;
    countsKept: (months: string | number) => string;
  };
  upNext: {
    countdown: (seconds: string | number) => string;
  };
  video: {
    watchOn: (siteName: string | number) => string;
  };
  videoHead: {
    linkText: (title: string | number, siteName: string | number) => string;
    linkWith: (title: string | number, siteName: string | number, names: string | number) => string;
  };
  videos: {
    keep: (title: string | number) => string;
    fetchFailedWith: (status: string | number) => string;
  };
}

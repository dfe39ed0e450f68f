export const safetyMessages = {
  title: "Safety",
  note: "What the law of your country may ask of a public site",
  loadFailed: "Failed to load the settings",
  saved: "Saved",
  saveFailed: "Failed to save",
  takedowns: "Takedown notices",
  takedownsHint: "Everyone can send one at /takedown. They arrive under Reports.",
  log: "Show followed notices to everyone",
  logHint: "At /removals, with a link in the footer. Private senders are not named.",
  age: "Age",
  ageHint:
    "Everyone confirms once per browser. Crawlers see the pages. Terms, privacy and notices stay open.",
  ageGate: "Ask visitors whether they are 18 or older",
  ageGateHint: "Every response then carries the RTA label, which filters for children read.",
  countries: "Countries",
  countriesHint:
    "Works where GEO_HEADER names the header in which your proxy sends the country. Single videos: Restrictions in the menu of a video.",
  blocked: "Blocked countries",
  blockedHint: "Codes of two letters, such as DE, FR. They get status 451.",
  save: "Save countries",
} as const;

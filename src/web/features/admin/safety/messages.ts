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
} as const;

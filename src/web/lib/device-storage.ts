// All names that the site uses in a visitor's `localStorage`. "Forget me" wouldn't remove data
// under other names.

export const themeKey = "theme";
/** Language that the visitor chose. */
export const languageKey = "kinora.language";
/** Ad slots that the visitor closed. */
export const closedSlotsKey = "spots-closed";
/** History, Watch later, playlists and follows. */
export const libraryKey = "kinora.library";
/** Set while something is followed, so that the home page reserves space for the row of follows. */
export const followsKey = "kinora.follows";
/** Volume, speed, captions and other choices in the player. */
export const playerKey = "kinora.player";
/** Set once the visitor has asked for less data. */
export const dataSaverKey = "kinora.data-saver";
/** Resume positions of videos. */
export const resumeKey = "kinora.resume";
/** The last searches. */
export const searchesKey = "kinora.searches";
/** Preferences for the For You feed. */
export const wishesKey = "kinora.feed.wishes";
/** Collapsed groups of the back office's menu. */
export const closedMenuGroupsKey = "kinora.admin.closed-groups";
/** Set once the user dismissed the first steps on the dashboard. */
export const firstStepsKey = "kinora.admin.first-steps";

/** Event of the window when everything under these names is removed. */
export const forgetEvent = "forget";

type Area = "localStorage" | "sessionStorage";

/** Returns a stored text. Null without one, or if the browser has turned its storage off. */
export function readStored(key: string, area: Area = "localStorage"): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns a stored JSON value. Null without one, if it is damaged or if storage is off. */
export function readStoredJson(key: string, area?: Area): unknown {
  try {
    return JSON.parse(readStored(key, area) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a text, or removes it with null. @returns false if the storage is full or off. */
export function writeStored(
  key: string,
  text: string | null,
  area: Area = "localStorage",
): boolean {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export const deviceKeys: readonly string[] = [
  themeKey,
  languageKey,
  closedSlotsKey,
  libraryKey,
  followsKey,
  playerKey,
  dataSaverKey,
  resumeKey,
  searchesKey,
  wishesKey,
  closedMenuGroupsKey,
  firstStepsKey,
];

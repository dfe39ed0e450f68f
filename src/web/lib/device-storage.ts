// Access to the browser's storage, and all names that the site uses in `localStorage`. "Forget me"
// wouldn't remove data under other names.

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

type Area = "localStorage" | "sessionStorage";

/** Texts that the browser refused to store. They last until the page is closed. */
const refused = new Map<string, string | null>();

/** Returns a stored text, or null if there is none. */
export function readStored(key: string, area: Area = "localStorage"): string | null {
  const text = refused.get(key);
  if (text !== undefined) return text;
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns a stored JSON value, or null if there is none or it is damaged. */
export function readStoredJson(key: string, area?: Area): unknown {
  try {
    return JSON.parse(readStored(key, area) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Stores a text, or removes it with null.
 * @returns false if the browser refused, so that the change lasts until the page is closed.
 */
export function writeStored(
  key: string,
  text: string | null,
  area: Area = "localStorage",
): boolean {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    refused.delete(key);
    return true;
  } catch {
    refused.set(key, text);
    return false;
  }
}

/** Uses what another tab has stored instead of a text that the browser refused to store. */
export const dropRefused = (key: string): boolean => refused.delete(key);

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

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

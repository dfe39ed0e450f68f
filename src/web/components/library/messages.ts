import { inLanguage } from "#web/lib/language/page-language.ts";

export const libraryTabMessages = inLanguage("libraryTabs", {
  library: "Your library",
  favorites: "Favorites",
  later: "Watch later",
  playlists: "Playlists",
  history: "History",
  follows: "Following",
});

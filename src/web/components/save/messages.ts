import { inLanguage } from "#web/lib/language/page-language.ts";

export const saveMessages = inLanguage("save", {
  menu: "Keep this video",
  later: "Watch later",
  newPlaylist: "New playlist...",
  newTitle: "New playlist",
  create: "Create",
  cancel: "Cancel",
  name: "Name of the playlist",
  added: (name: string) => `Added to ${name}`,
  removed: (name: string) => `Removed from ${name}`,
  full: "There are as many playlists as there can be. Delete one first.",
  failed: "It could not be kept. Please try again.",
});

import { inLanguage } from "#web/lib/language/page-language.ts";

export const saveMessages = inLanguage("save", {
  menu: "Save this video",
  later: "Watch later",
  newPlaylist: "New playlist...",
  newTitle: "New playlist",
  create: "Create",
  cancel: "Cancel",
  name: "Playlist name",
  added: (name: string) => `Added to ${name}`,
  removed: (name: string) => `Removed from ${name}`,
  full: "You've reached the playlist limit. Delete one to add another.",
  failed: "Couldn't save the video. Please try again.",
});

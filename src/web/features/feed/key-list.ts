import { inLanguage } from "#web/lib/language/page-language.ts";

export const feedKeyTexts = inLanguage("feedKeys", {
  move: "Previous or next",
  play: "Play or pause",
  sound: "Sound on or off",
  seek: "5 seconds back or forward",
  like: "Like",
  space: "Space",
});

/** Rows of the keyboard shortcuts beside the feed. Loaded with the panel that shows them. */
export const feedKeys = [
  { keys: ["↑", "↓"], does: "move" },
  { keys: ["space"], does: "play" },
  { keys: ["M"], does: "sound" },
  { keys: ["←", "→"], does: "seek" },
  { keys: ["L"], does: "like" },
] as const;

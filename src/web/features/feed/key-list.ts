import { inLanguage } from "#web/lib/language/page-language.ts";

export const feedKeyTexts = inLanguage("feedKeys");

/** Rows of the keyboard shortcuts beside the feed. Loaded with the panel that shows them. */
export const feedKeys = [
  { keys: ["↑", "↓"], does: "move" },
  { keys: ["space"], does: "play" },
  { keys: ["M"], does: "sound" },
  { keys: ["←", "→"], does: "seek" },
  { keys: ["L"], does: "like" },
] as const;

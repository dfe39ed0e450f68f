import { inLanguage } from "#web/lib/language/page-language.ts";

export const keyTexts = inLanguage("playerKeys");

/** Rows of the keyboard shortcuts dialog. */
export const keyList = [
  { keys: ["space", "K"], does: "play" },
  { keys: ["J", "L"], does: "jump" },
  { keys: ["←", "→"], does: "seek" },
  { keys: ["↑", "↓"], does: "volume" },
  { keys: ["M"], does: "sound" },
  { keys: ["0", "…", "9"], does: "part" },
  { keys: ["<", ">"], does: "speed" },
  { keys: [",", "."], does: "picture" },
  { keys: ["C"], does: "captions" },
  { keys: ["F"], does: "fullscreen" },
  { keys: ["T"], does: "theatre" },
  { keys: ["I"], does: "pictureInPicture" },
  { keys: ["?"], does: "keys" },
] as const;

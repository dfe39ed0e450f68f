import { inLanguage } from "#web/lib/language/page-language.ts";

export const keyTexts = inLanguage("playerKeys", {
  play: "Play or pause",
  jump: "10 seconds back or forward",
  seek: "5 seconds back or forward",
  volume: "Volume (when the player is focused)",
  sound: "Sound off or on",
  part: "Jump to 0% … 90%",
  speed: "Slower or faster",
  picture: "Previous or next frame (when paused)",
  captions: "Captions",
  fullscreen: "Full screen",
  theatre: "Theatre mode",
  pictureInPicture: "Picture in picture",
  keys: "This list",
  space: "Space",
});

/** Rows of the dialog of keyboard shortcuts. */
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

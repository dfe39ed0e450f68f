/** The rows of the dialog of keyboard shortcuts. */
export const keyList: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["Space", "K"], does: "Play or pause" },
  { keys: ["J", "L"], does: "10 seconds back or forward" },
  { keys: ["←", "→"], does: "5 seconds back or forward" },
  { keys: ["↑", "↓"], does: "Volume, when the player has the focus" },
  { keys: ["M"], does: "Sound off or on" },
  { keys: ["0", "…", "9"], does: "Jump to 0% … 90%" },
  { keys: ["<", ">"], does: "Slower or faster" },
  { keys: [",", "."], does: "One picture back or forward, when paused" },
  { keys: ["C"], does: "Captions" },
  { keys: ["F"], does: "Full screen" },
  { keys: ["T"], does: "Theatre mode" },
  { keys: ["I"], does: "Picture in picture" },
  { keys: ["?"], does: "This list" },
];

import type { FaultKind } from "./core/state/player-state.ts";
import { inLanguage } from "../../lib/language/page-language.ts";

/** Every text of the player. */
export const playerMessages = inLanguage("player", {
  region: (title: string) => `Video player: ${title}`,
  play: "Play",
  pause: "Pause",
  replay: "Watch again",
  mute: "Mute",
  unmute: "Unmute",
  tapToUnmute: "Tap to unmute",
  volume: "Volume",
  seek: "Seek",
  position: (position: string, duration: string) => `${position} of ${duration}`,
  settings: "Settings",
  quality: "Quality",
  auto: "Auto",
  speed: "Speed",
  normal: "Normal",
  captions: "Captions",
  off: "Off",
  pictureInPicture: "Picture in picture",
  theatre: "Theatre mode",
  leaveTheatre: "Leave theatre mode",
  fullscreen: "Full screen",
  leaveFullscreen: "Leave full screen",
  keys: "Keyboard shortcuts",
  close: "Close",
  loading: "Loading video",
  retry: "Try Again",
  resumed: (position: string) => `Resumed at ${position}`,
  startOver: "Start over",
  advertisement: "Advertisement",
  upNext: "Up next",
  nextIn: (seconds: number) => `Up next in ${seconds}`,
  playNow: "Play now",
  cancel: "Cancel",
  more: "More",
  autoNext: "Play the next video",
  dataSaver: "Data saver",
  fill: "Zoom to fill",
  cast: "Play on another screen",
  back: (seconds: number) => `${seconds} seconds back`,
  forward: (seconds: number) => `${seconds} seconds forward`,
  noScript: "Scripts are off: these are your browser's own controls.",
});

/** Of a fault: what happened, and what the player does about it. */
export const faultTexts = inLanguage("faults", {
  offline: { title: "You are offline", hint: "Playback goes on when the connection is back." },
  missing: { title: "A part of this video cannot be loaded", hint: "Trying again." },
  stalled: { title: "The connection has stalled", hint: "Trying again." },
  corrupt: { title: "A part of this video is damaged", hint: "Trying to get past it." },
  unsupported: {
    title: "This video cannot be played here",
    hint: "Your browser does not support its format.",
  },
} satisfies Record<FaultKind, object>);

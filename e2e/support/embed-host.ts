import { createRequire } from "node:module";
import { serveFolder } from "./folder-server.ts";

const playerJs = createRequire(import.meta.url).resolve("player.js");

/** Plays muted, pauses, seeks and asks for values. `result` is what it learned. */
const controlScript = `
const player = new playerjs.Player(document.querySelector("iframe"));
const ask = (method) => new Promise((resolve) => player[method](resolve));
const once = (event) => new Promise((resolve) => player.on(event, resolve));
async function control() {
  await once("ready");
  player.mute();
  const played = once("play");
  player.play();
  await played;
  const { duration } = await once("timeupdate");
  const paused = once("pause");
  player.pause();
  await paused;
  const seeked = once("seeked");
  player.setCurrentTime(40);
  await seeked;
  player.setLoop(true);
  window.result = {
    duration: Math.round(duration),
    isPaused: await ask("getPaused"),
    isMuted: await ask("getMuted"),
    position: Math.round(await ask("getCurrentTime")),
    loops: await ask("getLoop"),
    canSetCaption: player.supports("method", "setCaption"),
  };
}
control();
`;

/**
 * Serves a page of another origin that frames an embed and controls it with player.js from npm, by
 * default with `controlScript`.
 */
export const serveEmbedHost = (embedUrl: string, attributes = "", script = controlScript) =>
  serveFolder("/nowhere", {
    files: { "/player.js": playerJs },
    pages: {
      "/": `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<script src="/player.js"></script>
<iframe src="${embedUrl}" width="640" height="360" allow="autoplay" ${attributes}></iframe>
<script>${script}</script>`,
    },
  });

/** Values that an embed returns to the page around it if its video lasts `duration` seconds. */
export const embedHostResult = (duration: number) => ({
  ...{ duration, isPaused: true, isMuted: true, loops: true, canSetCaption: true },
  position: 40,
});

import type * as mediaSession from "./media-session.ts";

type MediaSessionModule = typeof mediaSession;

/** Connects the Media Session. Its module is loaded after the first frame. */
function connectLater(connect: (module: MediaSessionModule) => () => void): () => void {
  let isOver = false;
  let disconnect = () => {};
  import("./media-session.ts").then((module) => {
    if (!isOver) disconnect = connect(module);
  }, console.warn);
  return () => {
    isOver = true;
    disconnect();
  };
}

export const connectSystem = (...args: Parameters<MediaSessionModule["connectMediaSession"]>) =>
  connectLater((module) => module.connectMediaSession(...args));

export const connectMoves = (...args: Parameters<MediaSessionModule["connectMoves"]>) =>
  connectLater((module) => module.connectMoves(...args));

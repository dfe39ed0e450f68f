import type { connectMediaSession } from "./media-session.ts";

/** Connects the Media Session. Its module is loaded after the first frame. */
export function connectSystem(...args: Parameters<typeof connectMediaSession>): () => void {
  let isOver = false;
  let disconnect = () => {};
  import("./media-session.ts").then(
    (module) => {
      if (!isOver) disconnect = module.connectMediaSession(...args);
    },
    (error: unknown) => console.warn("couldn't load the media session", error),
  );
  return () => {
    isOver = true;
    disconnect();
  };
}

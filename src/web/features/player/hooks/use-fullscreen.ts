import { useCallback, useEffect, useState } from "react";

interface WebKitVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** Shows the player with its controls in full screen. iPhones can only show the video itself. */
export function useFullscreen(
  root: HTMLElement | null,
  media: () => HTMLVideoElement,
  onRefused: () => void,
) {
  const [isFullscreen, setFullscreen] = useState(false);

  useEffect(() => {
    const read = () => setFullscreen(root !== null && document.fullscreenElement === root);
    read();
    document.addEventListener("fullscreenchange", read);
    return () => document.removeEventListener("fullscreenchange", read);
  }, [root]);

  const toggle = useCallback(() => {
    const refused = (error: unknown) => {
      console.warn("full screen refused", error);
      onRefused();
    };
    if (document.fullscreenElement !== null) {
      document.exitFullscreen().catch(refused);
      return;
    }
    if (typeof root?.requestFullscreen === "function") {
      root.requestFullscreen().catch(refused);
      return;
    }
    const video: WebKitVideo = media();
    if (video.webkitEnterFullscreen === undefined) onRefused();
    else video.webkitEnterFullscreen();
  }, [root, media, onRefused]);

  return { isFullscreen, toggle };
}

import { isHls } from "../vast/media-choice.ts";
import type { MediaFile } from "../vast/vast-ad.ts";

/**
 * Attaches a file to a video element. HLS plays natively if possible, or else with hls.js.
 * @returns a function that detaches the file, after which `onFailure` is not called.
 */
export function attachFile(
  video: HTMLVideoElement,
  file: MediaFile,
  onFailure: () => void,
): () => void {
  const life = new AbortController();
  const fail = () => {
    if (!life.signal.aborted) onFailure();
  };
  video.addEventListener("error", fail, { signal: life.signal });
  let destroy = () => {};
  if (isHls(file.type) && video.canPlayType(file.type) === "") {
    attachHls(video, file.url, fail, life.signal).then((undo) => {
      if (life.signal.aborted) undo();
      else destroy = undo;
    }, fail);
  } else video.src = file.url;
  return () => {
    life.abort();
    destroy();
    video.removeAttribute("src");
    video.load();
  };
}

async function attachHls(
  video: HTMLVideoElement,
  url: string,
  onFailure: () => void,
  signal: AbortSignal,
): Promise<() => void> {
  const { default: Hls } = await import("hls.js");
  if (signal.aborted) return () => {};
  const hls = new Hls({ enableWorker: false, capLevelToPlayerSize: true });
  hls.on(Hls.Events.ERROR, (_event, data) => {
    if (data.fatal) onFailure();
  });
  hls.attachMedia(video);
  hls.loadSource(url);
  return () => hls.destroy();
}

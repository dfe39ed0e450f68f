import { drawFrame, once } from "../upload/video-thumbnail.ts";

const widest = 1280;
const longestWaitMs = 15_000;

/** Reads frames of a stored video in the browser, so that the server has no work. */
export async function openFrames(url: string) {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  // A bucket or a CDN may send the file. Without CORS, the page couldn't read its pixels.
  video.crossOrigin = "anonymous";
  video.src = url;
  await once(video, "loadeddata", longestWaitMs);
  const scale = Math.min(1, widest / video.videoWidth);
  // Reads one frame at a time, because the element has a single position.
  let last: Promise<unknown> = Promise.resolve();

  return {
    durationS: video.duration,
    /** Returns the frame at a time, at most 1280 px wide. */
    read(atS: number): Promise<Blob> {
      const read = last.then(async () => {
        const isThere = Math.abs(video.currentTime - atS) < 0.001;
        if (!isThere) {
          const seeked = once(video, "seeked", longestWaitMs);
          video.currentTime = atS;
          await seeked;
        }
        return drawFrame(
          video,
          Math.round(video.videoWidth * scale),
          Math.round(video.videoHeight * scale),
        );
      });
      last = read.catch(() => undefined);
      return read;
    },
    close(): void {
      video.removeAttribute("src");
      video.load();
    },
  };
}

export type FrameReader = Awaited<ReturnType<typeof openFrames>>;

/** Returns `count` evenly spaced times between the start and the end. */
export function spreadMoments(durationS: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => (durationS * (n + 0.5)) / count);
}

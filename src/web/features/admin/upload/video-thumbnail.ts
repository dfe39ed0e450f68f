import { limits } from "#contract/limits.ts";

export interface VideoThumbnail {
  blob: Blob;
  durationS: number;
}

/**
 * Maximum wait in milliseconds. If the browser can't decode the file, the server creates the
 * thumbnail.
 */
const longestWaitMs = 10_000;

/** Resolves on the event. Rejects on an error or after the wait. */
export function once(video: HTMLVideoElement, event: string, waitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`No ${event} in time`)), waitMs);
  video.addEventListener(event, () => resolve(), { once: true });
  video.addEventListener("error", () => reject(new Error("The browser cannot play it")), {
    once: true,
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Draws the current frame of `video`, covering the given size. */
export async function drawFrame(
  video: HTMLVideoElement,
  width: number,
  height: number,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null || video.videoWidth === 0) throw new Error("There is no picture");
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight);
  const [w, h] = [video.videoWidth * scale, video.videoHeight * scale];
  context.drawImage(video, (width - w) / 2, (height - h) / 2, w, h);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, "image/webp", limits.thumbnailQuality);
  });
  if (blob === null) throw new Error("Couldn't encode the picture");
  return blob;
}

/**
 * Creates a thumbnail of a local file at a quarter of its duration. Throws if the browser can't
 * decode it.
 */
export async function createThumbnail(file: Blob): Promise<VideoThumbnail> {
  const video = document.createElement("video");
  const address = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = "auto";
    video.src = address;
    await once(video, "loadedmetadata", longestWaitMs);
    const durationS = Number.isFinite(video.duration) ? video.duration : 0;
    const seeked = once(video, "seeked", longestWaitMs);
    video.currentTime = durationS * limits.thumbnailAt;
    await seeked;
    const blob = await drawFrame(video, limits.thumbnailWidth, limits.thumbnailHeight);
    return { blob, durationS };
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
  }
}

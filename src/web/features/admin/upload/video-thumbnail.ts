import { limits } from "#contract/limits.ts";

export interface VideoThumbnail {
  blob: Blob;
  durationS: number;
  /** The frame at a quarter of the duration is black, so the picture is another frame. */
  isReplacement: boolean;
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
  const encode = (type: string) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, limits.thumbnailQuality));
  let blob = await encode("image/webp");
  // Safari can't encode WebP. Its PNG of a large frame may exceed the size limit of thumbnails.
  if (blob?.type === "image/png") blob = await encode("image/jpeg");
  if (blob === null) throw new Error("Couldn't encode the picture");
  return blob;
}

/** Mean brightness, from 0 to 255, below which a frame is black. */
const blackBelow = 12;

/** @param pixels RGBA values. */
export function isBlack(pixels: ArrayLike<number>): boolean {
  const brightness = Array.from(pixels).reduce((sum, value, at) => {
    const weight = [0.2126, 0.7152, 0.0722, 0][at % 4] ?? 0;
    return sum + value * weight;
  }, 0);
  return brightness / (pixels.length / 4) < blackBelow;
}

function isBlackFrame(video: HTMLVideoElement): boolean {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [32, 18];
  const context = canvas.getContext("2d");
  if (context === null) return false;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return isBlack(context.getImageData(0, 0, canvas.width, canvas.height).data);
}

/** Parts of the duration at which other frames are tried or offered. */
const otherFrames = [0.1, 0.4, 0.6, 0.8];

async function seek(video: HTMLVideoElement, part: number): Promise<void> {
  const seeked = once(video, "seeked", longestWaitMs);
  video.currentTime = (Number.isFinite(video.duration) ? video.duration : 0) * part;
  await seeked;
}

const draw = (video: HTMLVideoElement) =>
  drawFrame(video, limits.thumbnailWidth, limits.thumbnailHeight);

/**
 * Creates a thumbnail of a local file at a quarter of its duration, or of another frame if that one
 * is black. Throws if the browser can't decode it.
 */
export const createThumbnail = (file: Blob): Promise<VideoThumbnail> =>
  withVideo(file, async (video) => {
    const durationS = Number.isFinite(video.duration) ? video.duration : 0;
    await seek(video, limits.thumbnailAt);
    const blob = await draw(video);
    if (!isBlackFrame(video)) return { blob, durationS, isReplacement: false };
    for (const part of otherFrames) {
      await seek(video, part);
      if (!isBlackFrame(video)) return { blob: await draw(video), durationS, isReplacement: true };
    }
    return { blob, durationS, isReplacement: false };
  });

/** Creates pictures of other frames of a local file. */
export const createOtherThumbnails = (file: Blob): Promise<Blob[]> =>
  withVideo(file, async (video) => {
    const frames: Blob[] = [];
    for (const part of otherFrames) {
      await seek(video, part);
      frames.push(await draw(video));
    }
    return frames;
  });

async function withVideo<T>(file: Blob, read: (video: HTMLVideoElement) => Promise<T>): Promise<T> {
  const video = document.createElement("video");
  const address = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = "auto";
    video.src = address;
    await once(video, "loadedmetadata", longestWaitMs);
    return await read(video);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
  }
}

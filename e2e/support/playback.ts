import type { Frame, Page } from "playwright-core";

/** Waits until the video plays, which means that it shows three frames and its position changes. */
export async function waitForPlaying(page: Page | Frame, selector: string): Promise<void> {
  const until = Date.now() + 25_000;
  let seen = "no video";
  while (Date.now() < until) {
    const { isPlaying, state } = await page.evaluate(async (query) => {
      const video = document.querySelector<HTMLVideoElement>(query);
      if (video === null) return { isPlaying: false, state: "no video" };
      const from = video.currentTime;
      const frame = () =>
        new Promise<boolean>((resolve) => {
          video.requestVideoFrameCallback(() => resolve(true));
          setTimeout(() => resolve(false), 400);
        });
      const shown = video.paused ? [] : [await frame(), await frame(), await frame()];
      const { paused, currentTime, readyState, error } = video;
      return {
        isPlaying: shown.length === 3 && shown.every(Boolean) && !paused && currentTime !== from,
        state: JSON.stringify({ paused, currentTime, readyState, error: error?.code, shown }),
      };
    }, selector);
    if (isPlaying) return;
    seen = state;
    await page.waitForTimeout(100);
  }
  throw new Error(`the video does not play: ${seen}`);
}

/** Returns the number of frames and the position change of each matching element. */
function movesWithin(page: Page, selector: string, ms: number): Promise<number[]> {
  return page.evaluate(
    async ({ selector: query, ms: time }) => {
      let isOver = false;
      const looks = [...document.querySelectorAll<HTMLVideoElement>(query)].map((video) => {
        const from = video.currentTime;
        let frames = 0;
        const next = () => {
          video.requestVideoFrameCallback(() => {
            if (isOver) return;
            frames += 1;
            next();
          });
        };
        next();
        return () => frames + Math.abs(video.currentTime - from);
      });
      await new Promise((resolve) => setTimeout(resolve, time));
      isOver = true;
      return looks.map((look) => look());
    },
    { selector, ms },
  );
}

/**
 * Waits until no video plays, which means that no element shows a frame or changes its position for
 * 500 ms. Before that, a last frame after a pause or the first frame of a loading clip may be
 * shown.
 */
export async function waitForStopped(page: Page, selector: string): Promise<void> {
  const until = Date.now() + 10_000;
  let seen: number[] = [];
  while (Date.now() < until) {
    seen = await movesWithin(page, selector, 500);
    if (seen.length === 0) throw new Error(`no video at ${selector}`);
    if (seen.every((moves) => moves === 0)) return;
  }
  throw new Error(`a video plays: ${JSON.stringify(seen)}`);
}

/** Returns the state of a video element. */
export async function readVideo(page: Page): Promise<{
  currentTime: number;
  duration: number;
  width: number;
  height: number;
  audioBytes: number;
}> {
  return page
    .locator("video")
    .first()
    .evaluate((element) => {
      const video = element as unknown as Record<string, number>;
      return {
        currentTime: video["currentTime"] ?? 0,
        duration: video["duration"] ?? 0,
        width: video["videoWidth"] ?? 0,
        height: video["videoHeight"] ?? 0,
        audioBytes: video["webkitAudioDecodedByteCount"] ?? 0,
      };
    });
}

/**
 * Waits until `count` more frames have been presented, which is the only proof that a picture
 * moves. A busy machine may drop frames of a clip of one second, so the clip repeats.
 */
export async function waitForFrames(page: Page, count: number): Promise<void> {
  await page
    .locator("video")
    .first()
    .evaluate(
      (element, wanted) =>
        new Promise<void>((resolve, reject) => {
          const video = element as unknown as {
            loop: boolean;
            ended: boolean;
            play(): Promise<void>;
            requestVideoFrameCallback(run: () => void): void;
          };
          video.loop = true;
          if (video.ended) void video.play();
          let seen = 0;
          const timer = setTimeout(() => reject(new Error(`only ${seen} frames in 15 s`)), 15_000);
          const next = () => {
            seen += 1;
            if (seen < wanted) return video.requestVideoFrameCallback(next);
            clearTimeout(timer);
            resolve();
          };
          video.requestVideoFrameCallback(next);
        }),
      count,
    );
}

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { nextPlayed, type Passage } from "./passages.ts";

/** Length of a frame if the playlist has no frame rate. */
const usualFrameS = 1 / 30;

/** Reads the length of a frame from the multivariant playlist. */
async function findFrameS(hlsUrl: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(hlsUrl, { signal });
  const rates = response.ok
    ? Array.from((await response.text()).matchAll(/FRAME-RATE=([\d.]+)/g), ([, rate]) =>
        Number(rate),
      )
    : [];
  const fps = Math.max(...rates);
  if (!(fps > 0) || !Number.isFinite(fps)) return usualFrameS;
  // Playlists have three decimals: 29.970 is 30000/1001.
  const exact = (Math.round(fps * 1.001) * 1000) / 1001;
  return 1 / (Math.abs(exact - fps) < 0.001 ? exact : fps);
}

/** Returns the length of a frame. */
export function useFrameS(hlsUrl: string | null): number {
  const [frameS, setFrameS] = useState(usualFrameS);
  useEffect(() => {
    if (hlsUrl === null) return undefined;
    const leaving = new AbortController();
    findFrameS(hlsUrl, leaving.signal).then(setFrameS, () => undefined);
    return () => leaving.abort();
  }, [hlsUrl]);
  return frameS;
}

/**
 * Position of a video element that moves by frames.
 * @param kept what plays while `isPreview`; the rest is skipped.
 */
export function useRulerPlayer(
  durationS: number,
  frameS: number,
  kept: readonly Passage[],
  firstS: number,
) {
  const media = useRef<HTMLVideoElement>(null);
  const [positionS, setPositionS] = useState(firstS);
  const [isPlaying, setPlaying] = useState(false);
  const [isPreview, setPreview] = useState(false);

  const seek = (timeS: number) => {
    const atS = Math.min(Math.max(timeS, 0), Math.max(0, durationS - frameS));
    setPositionS(atS);
    // Slightly after the start of the frame, because the times of frames are rounded.
    if (media.current !== null) media.current.currentTime = atS + frameS / 4;
  };
  const toFrame = (timeS: number) =>
    Math.min(Math.max(Math.round(Math.round(timeS / frameS) * frameS * 1000) / 1000, 0), durationS);
  const pause = () => media.current?.pause();
  const play = (preview: boolean) => {
    const element = media.current;
    if (element === null) return;
    setPreview(preview);
    const fromS = preview ? nextPlayed(kept, positionS) : positionS;
    if (fromS !== positionS) seek(fromS ?? kept[0]?.startS ?? 0);
    // Browsers reject this promise if the video is paused before it starts.
    element.play().catch(() => undefined);
  };
  const follow = useEffectEvent(() => {
    const element = media.current;
    if (element === null || element.seeking) return;
    const atS = element.currentTime;
    setPositionS(atS);
    if (!isPreview) return;
    const nextS = nextPlayed(kept, atS);
    if (nextS === null) pause();
    else if (nextS > atS) element.currentTime = nextS + frameS / 4;
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    let running = requestAnimationFrame(function step() {
      follow();
      running = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(running);
  }, [isPlaying]);

  return {
    media,
    positionS,
    isPlaying,
    isPreview: isPlaying && isPreview,
    seek,
    toFrame,
    step: (frames: number) => {
      pause();
      seek(toFrame(positionS + frames * frameS));
    },
    toggle: (preview = false) => (isPlaying && (isPreview || !preview) ? pause() : play(preview)),
    events: {
      // Replaces the poster, which is another frame.
      onLoadedMetadata: () => seek(positionS),
      onPlay: () => setPlaying(true),
      onPause: () => {
        setPlaying(false);
        setPositionS(toFrame(media.current?.currentTime ?? 0));
      },
      onEnded: () => setPlaying(false),
    },
  };
}

export type RulerPlayer = ReturnType<typeof useRulerPlayer>;

import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { clipShape, windowAt, windowSize } from "#contract/videos/clip-window.ts";
import type { ClipFraming, ClipPoint, ClipWindow } from "#contract/videos/clips.ts";

interface Picture {
  width: number;
  height: number;
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
const clamp = (share: number): number => Math.min(1, Math.max(0, share));
/** Share of the free space that an arrow key moves the frame. */
const keyStep = 0.02;

/** Returns the window with another position at this time of the clip. */
function movedWindow(window: ClipWindow, timeS: number, point: ClipPoint): ClipWindow {
  const { move } = window;
  const isSecond = move !== null && timeS >= (move.startS + move.endS) / 2;
  return isSecond ? { ...window, move: { ...move, to: point } } : { ...window, from: point };
}

/**
 * Frame over the player that shows what a crop keeps. It can be dragged, and moved with arrow keys.
 * @param timeS position in the clip, which decides where a moving frame is.
 */
export function ClipFrame({
  window,
  timeS,
  picture,
  onWindow,
}: {
  window: ClipWindow;
  timeS: number;
  picture: Picture;
  onWindow: (window: ClipWindow) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const grabbed = useRef<{ x: number; y: number; at: ClipPoint } | null>(null);
  const size = windowSize(window, picture);
  const share = { width: size.width / picture.width, height: size.height / picture.height };
  const free = { x: 1 - share.width, y: 1 - share.height };
  const at = windowAt(window, timeS);
  const moveTo = (point: ClipPoint) =>
    onWindow(movedWindow(window, timeS, { x: clamp(point.x), y: clamp(point.y) }));
  const drag = ({ clientX, clientY }: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    const start = grabbed.current;
    if (bounds === undefined || start === null) return;
    const moved = (pixels: number, length: number, space: number) =>
      space <= 0 || length === 0 ? 0 : pixels / (length * space);
    moveTo({
      x: start.at.x + moved(clientX - start.x, bounds.width, free.x),
      y: start.at.y + moved(clientY - start.y, bounds.height, free.y),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? keyStep * 5 : keyStep;
    const steps: Record<string, ClipPoint> = {
      ArrowLeft: { x: -step, y: 0 },
      ArrowRight: { x: step, y: 0 },
      ArrowUp: { x: 0, y: -step },
      ArrowDown: { x: 0, y: step },
    };
    const change = steps[event.key];
    if (change === undefined) return;
    // The ruler moves the position with the same keys.
    event.preventDefault();
    event.stopPropagation();
    moveTo({ x: at.x + change.x, y: at.y + change.y });
  };
  return (
    <div ref={box} className="pointer-events-none absolute inset-0 overflow-hidden rounded-md">
      <div
        role="slider"
        tabIndex={0}
        aria-label="Frame of the clip"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(at.x * 100)}
        aria-valuetext={`${Math.round(at.x * 100)}% from the left, ${Math.round(at.y * 100)}% from the top`}
        className="pointer-events-auto absolute cursor-move touch-none rounded-sm border-2 border-white shadow-[0_0_0_9999px_rgb(0_0_0/0.55)] focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-lamp"
        style={{
          // Positions in the picture don't depend on the direction of the text.
          left: percent(at.x * free.x),
          top: percent(at.y * free.y),
          width: percent(share.width),
          height: percent(share.height),
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          grabbed.current = { x: event.clientX, y: event.clientY, at };
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
        }}
        onPointerUp={() => {
          grabbed.current = null;
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Height of the preview in pixels of its canvas. */
const previewHeight = 480;

/** Draws a frame of the video as the clip will show it. */
function drawClip(
  canvas: HTMLCanvasElement,
  video: HTMLVideoElement,
  framing: ClipFraming,
  timeS: number,
): void {
  const context = canvas.getContext("2d");
  const picture = { width: video.videoWidth, height: video.videoHeight };
  // Between frames, for example during a seek, the canvas keeps the last one.
  const hasFrame = picture.width > 0 && video.readyState >= video.HAVE_CURRENT_DATA;
  if (context === null || !hasFrame) return;
  const shape =
    framing.kind === "as-is" ? picture.width / picture.height : clipShape.width / clipShape.height;
  canvas.height = previewHeight;
  canvas.width = Math.round(previewHeight * shape);
  const { width, height } = canvas;
  if (framing.kind === "crop") {
    const size = windowSize(framing.window, picture);
    const at = windowAt(framing.window, timeS);
    const left = at.x * (picture.width - size.width);
    const top = at.y * (picture.height - size.height);
    context.drawImage(video, left, top, size.width, size.height, 0, 0, width, height);
    return;
  }
  if (framing.kind === "blur") {
    const cover = Math.max(width / picture.width, height / picture.height) * 1.1;
    const ground = { width: picture.width * cover, height: picture.height * cover };
    context.filter = "blur(14px) brightness(0.8)";
    context.drawImage(
      video,
      (width - ground.width) / 2,
      (height - ground.height) / 2,
      ground.width,
      ground.height,
    );
    context.filter = "none";
  }
  const fit = Math.min(width / picture.width, height / picture.height);
  const shown = { width: picture.width * fit, height: picture.height * fit };
  context.drawImage(
    video,
    (width - shown.width) / 2,
    (height - shown.height) / 2,
    shown.width,
    shown.height,
  );
}

/** Live preview of the clip, drawn from the player's video. */
export function ClipPreview({
  framing,
  startS,
  findVideo,
}: {
  framing: ClipFraming;
  /** Start of the clip in the video. */
  startS: number;
  findVideo: () => HTMLVideoElement | null;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let drawn = "";
    let running = requestAnimationFrame(function draw() {
      const video = findVideo();
      if (video !== null && canvas.current !== null) {
        const { currentTime, readyState, seeking } = video;
        const state = `${currentTime} ${readyState} ${seeking}`;
        if (state !== drawn) drawClip(canvas.current, video, framing, currentTime - startS);
        drawn = state;
      }
      running = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(running);
  }, [framing, startS, findVideo]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="Preview of the clip"
      className="mx-auto max-h-80 max-w-full rounded-md bg-video"
    />
  );
}

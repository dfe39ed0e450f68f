import { useEffect, useRef, useState } from "react";
import { wantsLessData } from "#web/lib/data-saver.ts";

/** Returns false if motion is reduced or the visitor saves data. */
export function canPreview(): boolean {
  return !(
    wantsLessData() ||
    window.matchMedia("(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)").matches
  );
}

/** Maximum delay between lifting the finger, which ends the preview, and the click. */
const clickAfterMs = 300;

/** Makes a long press show the preview instead of opening the browser's menu or the link. */
function keepPress(link: HTMLAnchorElement): () => void {
  if (!window.matchMedia("(hover: none)").matches) return () => {};
  const prevent = (event: Event) => event.preventDefault();
  const events = ["contextmenu", "click"];
  for (const name of events) link.addEventListener(name, prevent);
  return () => {
    setTimeout(() => {
      for (const name of events) link.removeEventListener(name, prevent);
    }, clickAfterMs);
  };
}

/** 3 s preview over the thumbnail. Invisible until its first frame. */
export function PreviewClip({ src }: { src: string }) {
  const [isReady, setIsReady] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const link = video.current?.closest("a");
    return link == null ? undefined : keepPress(link);
  }, []);
  return (
    <video
      ref={video}
      src={src}
      muted
      loop
      autoPlay
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      aria-hidden="true"
      data-ready={isReady}
      onPlaying={() => setIsReady(true)}
      className="absolute inset-0 size-full bg-video object-cover opacity-0 transition-opacity duration-200 data-[ready=true]:opacity-100"
    />
  );
}

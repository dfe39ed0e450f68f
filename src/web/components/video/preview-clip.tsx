import { useState } from "react";

/** No previews with reduced motion, or while saving data. */
export function isPreviewWanted(): boolean {
  if (
    window.matchMedia("(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)").matches
  ) {
    return false;
  }
  const connection: unknown = "connection" in navigator ? navigator.connection : null;
  return !(
    typeof connection === "object" &&
    connection !== null &&
    "saveData" in connection &&
    connection.saveData === true
  );
}

/** The 3 s preview over the thumbnail; invisible until its first frame. */
export function PreviewClip({ src }: { src: string }) {
  const [isReady, setIsReady] = useState(false);
  return (
    <video
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

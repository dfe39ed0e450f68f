import { useEffect, useState, type ReactNode } from "react";

/** How long a pointer must rest before the clip is asked for: crossing the grid costs nothing. */
const restMs = 250;

/** Handlers for the element under the pointer, and the clip while it should play. */
export function useHoverPreview(previewUrl: string | null) {
  const [isOver, setIsOver] = useState(false);
  const [clip, setClip] = useState<ReactNode>(null);

  useEffect(() => {
    if (!isOver || previewUrl === null) return;
    let isGone = false;
    const show = async () => {
      const { isPreviewWanted, PreviewClip } = await import("./preview-clip.tsx");
      if (!isGone && isPreviewWanted()) setClip(<PreviewClip src={previewUrl} />);
    };
    const timer = setTimeout(() => {
      show().catch((error: unknown) => console.warn("The preview could not be loaded", error));
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
      setClip(null);
    };
  }, [isOver, previewUrl]);

  return {
    clip,
    pointer: {
      onPointerEnter: () => setIsOver(true),
      onPointerLeave: () => setIsOver(false),
    },
  };
}

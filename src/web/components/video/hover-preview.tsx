import { useEffect, useState, type ReactNode } from "react";

/** Milliseconds that the pointer or finger must rest, so that crossing the grid loads nothing. */
const restMs = 300;

/** Returns the card's event handlers and whether the preview plays. */
export function useHoverPreview(previewUrl: string | null) {
  const [isOver, setIsOver] = useState(false);
  const [clip, setClip] = useState<ReactNode>(null);

  useEffect(() => {
    if (!isOver || previewUrl === null) return;
    let isCancelled = false;
    const show = async () => {
      const { canPreview, PreviewClip } = await import("./preview-clip.tsx");
      if (isCancelled || !canPreview()) return;
      setClip(<PreviewClip src={previewUrl} />);
    };
    const timer = setTimeout(() => {
      show().catch((error: unknown) => console.warn("Couldn't load the preview", error));
    }, restMs);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
      setClip(null);
    };
  }, [isOver, previewUrl]);

  return {
    clip,
    pointer: {
      onPointerEnter: () => setIsOver(true),
      onPointerLeave: () => setIsOver(false),
      onPointerCancel: () => setIsOver(false),
    },
  };
}

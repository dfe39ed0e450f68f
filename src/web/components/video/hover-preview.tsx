import {
  useEffect,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from "react";

/** The pointer or finger must rest this long, so that crossing the grid loads nothing. */
const restMs = 300;

/** Event handlers of the card, and whether the preview plays. */
export function useHoverPreview(previewUrl: string | null) {
  const [isOver, setIsOver] = useState(false);
  const [clip, setClip] = useState<ReactNode>(null);
  const isTouch = useRef(false);
  const hadClip = useRef(false);

  useEffect(() => {
    if (!isOver || previewUrl === null) return;
    let isCancelled = false;
    const show = async () => {
      const { isPreviewWanted, PreviewClip } = await import("./preview-clip.tsx");
      if (isCancelled || !isPreviewWanted()) return;
      hadClip.current = true;
      setClip(<PreviewClip src={previewUrl} />);
    };
    const timer = setTimeout(() => {
      show().catch((error: unknown) => console.warn("The preview could not be loaded", error));
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
      // A long press on a touch screen shows the preview instead of the browser's menu of the link.
      onContextMenu: (event: MouseEvent) => {
        if (isTouch.current && previewUrl !== null) event.preventDefault();
      },
      onPointerDown: ({ pointerType }: PointerEvent) => {
        isTouch.current = pointerType === "touch";
        hadClip.current = false;
      },
      onClick: (event: MouseEvent) => {
        if (isTouch.current && hadClip.current) event.preventDefault();
      },
    },
  };
}

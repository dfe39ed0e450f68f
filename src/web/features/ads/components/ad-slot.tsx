import { lazy, Suspense, useCallback, useEffect, useState, type CSSProperties } from "react";
import type { AdSlotInfo } from "../../../../contract/ads.ts";
import { useSite } from "../../../lib/site.ts";
import { isPlaceClosed } from "../core/closed-places.ts";
import type { SlotPlacement, SpotState } from "../core/slot-state.ts";
import { spotMessages as messages } from "../messages.ts";
import "./spot.css";

interface AdSlotProps {
  placement: SlotPlacement;
  /** Slugs of the categories of what the page shows, for ads that are aimed at them. */
  categories?: readonly string[];
}

// Fetched when the place comes near the screen: nothing of it is in the page's first scripts.
const SpotView = lazy(() =>
  import("./spot-view.tsx").then((module) => ({ default: module.SpotView })),
);

type RoomStyle = CSSProperties & Record<`--${string}`, string>;

/** Room for what is expected: the declared size, or what the style gives the place. */
function roomStyle(place: AdSlotInfo | undefined): RoomStyle | undefined {
  if (place?.widthPx == null || place.heightPx == null) return undefined;
  const { widthPx, heightPx } = place;
  return { "--spot-width": `${widthPx}px`, "--spot-ratio": `${widthPx} / ${heightPx}` };
}

/** Ads near the screen are fetched; before that a place costs nothing. */
const nearPx = 300;

/**
 * A place for an ad. Its room is in the page from the start where there are ads for it, and nothing
 * at all where there are none. The page itself is the same for everybody: what stands here is asked
 * for by each visitor's browser.
 */
export function AdSlot({ placement, categories }: AdSlotProps) {
  const { adSlots } = useSite();
  const place = adSlots?.find((candidate) => candidate.placement === placement);
  const isExpected = adSlots === null || place !== undefined;
  if (!isExpected) return null;
  return <Place placement={placement} place={place} categories={categories} />;
}

function Place({ placement, place, categories }: AdSlotProps & { place: AdSlotInfo | undefined }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNear, setIsNear] = useState(false);
  const [state, setState] = useState<SpotState>("waiting");

  useEffect(() => {
    if (element === null || isPlaceClosed(placement)) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        setIsNear(true);
      },
      { rootMargin: `${nearPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, placement]);

  const settle = useCallback(
    (next: SpotState) => {
      // Room that is on the screen stays when nothing comes: taking it away would move the page.
      const isSeen = element !== null && element.getBoundingClientRect().top < window.innerHeight;
      setState(next === "empty" && !isSeen ? "gone" : next);
    },
    [element],
  );

  // Only popups, or nobody knows: no room is kept.
  const keepsRoom = place?.isInline === true;
  const style = roomStyle(place);
  return (
    <aside
      ref={setElement}
      className="spot"
      data-place={placement}
      data-state={state}
      data-sized={style === undefined ? undefined : ""}
      style={style}
      aria-label={messages.label}
      aria-hidden={state === "shown" ? undefined : true}
    >
      {isNear ? (
        <Suspense fallback={keepsRoom ? <Room /> : null}>
          <SpotView
            placement={placement}
            categories={categories}
            keepsRoom={keepsRoom}
            onState={settle}
          />
        </Suspense>
      ) : keepsRoom ? (
        <Room />
      ) : null}
    </aside>
  );
}

function Room() {
  return (
    <>
      <div className="spot-line" />
      <div className="spot-room" />
    </>
  );
}
